// The property beside it, at length.
import './standing-times.spec';
