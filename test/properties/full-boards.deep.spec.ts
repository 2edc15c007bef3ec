// The property beside it, at length.
import './full-boards.spec';
