// The property beside it, at length.
import './leaderboard.spec';
