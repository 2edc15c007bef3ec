// The property beside it, at length.
import './cold-ledgers.spec';
