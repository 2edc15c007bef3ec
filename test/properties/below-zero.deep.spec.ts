// The property beside it, at length.
import './below-zero.spec';
