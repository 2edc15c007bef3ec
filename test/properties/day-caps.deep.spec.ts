// The property beside it, at length.
import './day-caps.spec';
