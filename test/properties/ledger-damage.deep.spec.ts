// The property beside it, at length.
import './ledger-damage.spec';
