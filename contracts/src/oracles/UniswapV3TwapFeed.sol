// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IERC20Metadata} from "@openzeppelin/contracts/token/ERC20/extensions/IERC20Metadata.sol";
import {SafeCast} from "@openzeppelin/contracts/utils/math/SafeCast.sol";
import {IPriceFeed} from "../interfaces/IPriceFeed.sol";
import {IUniswapV3Pool} from "../interfaces/IUniswapV3.sol";
import {TickPrice} from "./TickPrice.sol";

/// @title A Uniswap V3 pool's time-weighted price as a dollar feed
/// @notice The dollar price of one whole base token, with 8 decimals, rounded down: the geometric mean of the pool's
///         price over the window, times the quote token's price.
/// @dev What it stops: a price moved and moved back within a block, or within a few blocks of a long window.
///      What it does not stop:
///      - an attacker who holds the pool at a false price *through* the window. That costs what arbitrage takes, which
///        is little if liquidity is thin, and nothing if one party builds every block. The window and the pool are the
///        owner's choice: use minutes for deep pools only;
///      - a pool of a token that the attacker issues. The owner who signs this feed vouches for the pool;
///      - a market that has moved: the mean lags by half a window, and slippage limits must leave room for that;
///      - a pool without trades. Its last price is reported as current indefinitely;
///      - a rollup whose sequencer was down: the mean then uses the last price before it. Sign its uptime feed;
///      - a quote token that lost its peg, if no quote feed is given.
///      Trades cannot disable the feed: the pool stores an observation for every block of the window.
contract UniswapV3TwapFeed is IPriceFeed {
    using SafeCast for int256;
    using SafeCast for uint256;

    /// @notice Thrown when the base token is not in the pool.
    error NotInPool(address pool, address token);
    /// @notice Thrown when the window or the block time is zero: a window of zero length is the spot price.
    error WindowIsZero();
    /// @notice Thrown when the pool stores fewer observations than the window has blocks: trades would overwrite the
    ///         first observations of the window, and anyone could disable the feed.
    error CardinalityTooLow(address pool, uint16 cardinality, uint256 needed);
    /// @notice Thrown when the pool is not initialised, or its observations do not reach back this far.
    error WindowNotObserved(address pool, uint32 window);
    /// @notice Thrown when the pool is empty, or was empty for a second of the window.
    error NoLiquidity(address pool, uint128 liquidity, uint160 secondsPerLiquidityX128);
    /// @notice Thrown when the price of the quote token is zero or less.
    error QuoteNotPositive(address feed, int256 answer);

    uint8 public constant decimals = 8;

    IUniswapV3Pool public immutable pool;
    address public immutable base;
    address public immutable quote;
    /// @notice The window of the average, in seconds.
    uint32 public immutable window;
    /// @notice The dollar price of one whole quote token; zero address for one dollar.
    IPriceFeed public immutable quoteFeed;

    bool private immutable _baseIsToken0;
    uint256 private immutable _oneBase;
    uint256 private immutable _oneQuote;

    /// @param blockSeconds the minimum seconds between two blocks of this chain. A pool stores at most one observation
    ///        per second, so 1 is safe for every chain and requires the most observations. Anyone can grow a pool's
    ///        cardinality, which cannot be reduced.
    constructor(IUniswapV3Pool pool_, address base_, uint32 window_, uint32 blockSeconds, IPriceFeed quoteFeed_) {
        if (window_ == 0 || blockSeconds == 0) revert WindowIsZero();
        (,,, uint16 cardinality,,,) = pool_.slot0();
        uint256 needed = uint256(window_) / blockSeconds + 1;
        if (cardinality < needed) revert CardinalityTooLow(address(pool_), cardinality, needed);
        (address token0, address token1) = (pool_.token0(), pool_.token1());
        if (base_ != token0 && base_ != token1) revert NotInPool(address(pool_), base_);
        (pool, base, window, quoteFeed) = (pool_, base_, window_, quoteFeed_);
        quote = base_ == token0 ? token1 : token0;
        _baseIsToken0 = base_ == token0;
        _oneBase = 10 ** IERC20Metadata(base_).decimals();
        _oneQuote = 10 ** IERC20Metadata(quote).decimals();
    }

    /// @inheritdoc IPriceFeed
    /// @dev There are no rounds: the round id is the time, and the round started when the window did. The mean is
    ///      current, so the older of the two timestamps is always the quote's; a timestamp in the future is passed on,
    ///      to be refused.
    function latestRoundData()
        external
        view
        returns (uint80 roundId, int256 answer, uint256 startedAt, uint256 updatedAt, uint80 answeredInRound)
    {
        (uint256 price, uint256 one, uint256 priceUpdatedAt) = _quotePrice();
        // Price of the base in quote units is 1.0001^tick one way round and its inverse the other way round.
        int24 tick = _baseIsToken0 ? meanTick() : -meanTick();
        answer = TickPrice.scale(tick, _oneBase * 10 ** decimals * price, _oneQuote * one).toInt256();
        roundId = answeredInRound = uint80(block.timestamp);
        startedAt = block.timestamp - window;
        updatedAt = priceUpdatedAt;
    }

    /// @notice The pool's arithmetic mean tick over the window, rounded towards minus infinity as in Uniswap.
    function meanTick() public view returns (int24) {
        uint32[] memory secondsAgos = new uint32[](2);
        secondsAgos[0] = window;
        try pool.observe(secondsAgos) returns (int56[] memory ticks, uint160[] memory secondsPerLiquidity) {
            _requireLiquidity(secondsPerLiquidity[0], secondsPerLiquidity[1]);
            int56 sum = ticks[1] - ticks[0];
            int56 length = int56(uint56(window));
            int56 mean = sum / length;
            if (sum < 0 && sum % length != 0) mean--;
            return int256(mean).toInt24();
        } catch {
            revert WindowNotObserved(address(pool), window);
        }
    }

    function _quotePrice() private view returns (uint256 price, uint256 one, uint256 updatedAt) {
        if (address(quoteFeed) == address(0)) return (1, 1, block.timestamp);
        int256 answer;
        (, answer,, updatedAt,) = quoteFeed.latestRoundData();
        if (answer <= 0) revert QuoteNotPositive(address(quoteFeed), answer);
        return (uint256(answer), 10 ** quoteFeed.decimals(), updatedAt);
    }

    /// @dev The price of an empty pool can be moved for free. One wei of liquidity added just now must not hide that it
    ///      was empty before: each empty second adds 2^128 to the pool's sum of seconds per liquidity.
    function _requireLiquidity(uint160 before, uint160 afterwards) private view {
        uint128 liquidity = pool.liquidity();
        uint160 sum;
        // The pool lets this sum wrap around, and so must its difference.
        unchecked {
            sum = afterwards - before;
        }
        if (liquidity == 0 || sum >= 1 << 128) revert NoLiquidity(address(pool), liquidity, sum);
    }
}
