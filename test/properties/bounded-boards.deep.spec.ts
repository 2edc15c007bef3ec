// The properties beside it, at length.
import './bounded-boards.spec';
