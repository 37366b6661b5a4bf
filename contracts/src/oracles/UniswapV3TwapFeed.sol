// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IERC20Metadata} from "@openzeppelin/contracts/token/ERC20/extensions/IERC20Metadata.sol";
import {SafeCast} from "@openzeppelin/contracts/utils/math/SafeCast.sol";
import {IPriceFeed} from "../interfaces/IPriceFeed.sol";
import {IUniswapV3Pool} from "../interfaces/IUniswapV3.sol";
import {TickPrice} from "./TickPrice.sol";

/// @title A Uniswap V3 pool's time-weighted price as a dollar feed
/// @notice The dollars of one whole base token, with 8 decimals, rounded down: the geometric mean of the pool's price over
///         the window, times the quote token's own price.
/// @dev What it stops: a price moved and moved back within a block, or within a few blocks of a long window.
///      What it does not stop:
///      - whoever holds the pool at a false price *through* the window. That costs them what arbitrage takes, which is
///        little where liquidity is thin, and nothing where one party builds every block. The window and the pool are the
///        owner's choice: minutes are for deep pools only;
///      - a pool of a token that the attacker issues. Who signs this feed vouches for the pool;
///      - a market that has moved: the mean lags by half a window, and slippage bounds must leave room for that;
///      - a pool where nobody trades. Its last price is reported as of now for ever;
///      - a rollup whose sequencer stood still: the mean then rests on the last price before it. Sign its uptime feed;
///      - a quote token that lost its peg, where no quote feed is given.
contract UniswapV3TwapFeed is IPriceFeed {
    using SafeCast for int256;
    using SafeCast for uint256;

    /// @notice The base token is not in the pool.
    error NotInPool(address pool, address token);
    /// @notice A window of no length is the spot price, which anyone moves at will.
    error WindowIsZero();
    /// @notice The pool is not initialised, or its observations do not reach back this far.
    error WindowNotObserved(address pool, uint32 window);
    /// @notice Nobody stands behind the price: the pool is empty, or was for a second of the window or as good as that.
    error NoLiquidity(address pool, uint128 liquidity, uint160 secondsPerLiquidityX128);
    /// @notice The quote token's feed says zero or less.
    error QuoteNotPositive(address feed, int256 answer);

    uint8 public constant decimals = 8;

    IUniswapV3Pool public immutable pool;
    address public immutable base;
    address public immutable quote;
    /// @notice Over how many seconds the price is averaged.
    uint32 public immutable window;
    /// @notice What one whole quote token is worth in dollars; none: one dollar.
    IPriceFeed public immutable quoteFeed;

    bool private immutable _baseIsToken0;
    uint256 private immutable _oneBase;
    uint256 private immutable _oneQuote;

    constructor(IUniswapV3Pool pool_, address base_, uint32 window_, IPriceFeed quoteFeed_) {
        if (window_ == 0) revert WindowIsZero();
        (address token0, address token1) = (pool_.token0(), pool_.token1());
        if (base_ != token0 && base_ != token1) revert NotInPool(address(pool_), base_);
        (pool, base, window, quoteFeed) = (pool_, base_, window_, quoteFeed_);
        quote = base_ == token0 ? token1 : token0;
        _baseIsToken0 = base_ == token0;
        _oneBase = 10 ** IERC20Metadata(base_).decimals();
        _oneQuote = 10 ** IERC20Metadata(quote).decimals();
    }

    /// @inheritdoc IPriceFeed
    /// @dev There are no rounds: the round's number is the time, and it started when the window did. The mean is as of now,
    ///      so the older of two answers is always the quote's; a time of its own in the future is passed on to be refused.
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

    /// @notice The pool's arithmetic mean tick over the window, rounded towards minus infinity as Uniswap's own is.
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

    /// @dev An empty pool's price is moved for free. One wei of liquidity put in just now must not hide that it was empty
    ///      before: each empty second adds 2^128 to the pool's sum of seconds per liquidity.
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
