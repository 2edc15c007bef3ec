// The property beside it, at length.
import './old-days.spec';
