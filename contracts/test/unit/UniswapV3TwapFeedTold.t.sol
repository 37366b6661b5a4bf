// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Math} from "@openzeppelin/contracts/utils/math/Math.sol";
import {SafeCast} from "@openzeppelin/contracts/utils/math/SafeCast.sol";
import {IPriceFeed} from "../../src/interfaces/IPriceFeed.sol";
import {FixedFeed} from "../../src/oracles/FixedFeed.sol";
import {UniswapV3TwapFeed} from "../../src/oracles/UniswapV3TwapFeed.sol";
import {ToldPool, ToldFeed, TwapWorld} from "./TwapWorld.sol";

/// @title The feed over a pool with preset answers
contract UniswapV3TwapFeedToldTest is TwapWorld {
    // ---- a pool with preset answers

    function test_meanTick_roundsTowardsMinusInfinity(int56 before, int56 sum, uint32 window) public {
        window = uint32(bound(window, 1, uint32(type(uint16).max - 1) * BLOCK_SECONDS));
        int256 limit = int256(uint256(window)) * 887272;
        sum = int56(bound(sum, -limit, limit));
        before = int56(bound(before, type(int56).min + limit, type(int56).max - limit));
        (ToldPool pool, UniswapV3TwapFeed feed) = _told(18, 18, window, PAR);
        pool.tell(before, before + sum);
        int256 mean = feed.meanTick();
        assertLe(mean * int256(uint256(window)), sum);
        assertGt((mean + 1) * int256(uint256(window)), sum);
    }

    /// The pool's price is taken apart into its factors: ticks, decimals, the quote's price and the quote feed's decimals.
    function test_answer_isThePriceTimesTheQuotes(
        int24 tick,
        uint8 baseDecimals,
        uint8 quoteDecimals,
        uint8 feedDecimals,
        uint64 quotePrice
    ) public {
        tick = int24(bound(tick, -300_000, 300_000));
        baseDecimals = uint8(bound(baseDecimals, 0, 18));
        quoteDecimals = uint8(bound(quoteDecimals, 0, 18));
        feedDecimals = uint8(bound(feedDecimals, 0, 18));
        quotePrice = uint64(bound(quotePrice, 1, type(uint64).max));
        IPriceFeed quoteFeed = new FixedFeed(int256(uint256(quotePrice)), feedDecimals, "");
        (ToldPool pool, UniswapV3TwapFeed feed) = _told(baseDecimals, quoteDecimals, 1, quoteFeed);
        pool.tell(0, tick);
        uint256 numerator = 10 ** (uint256(baseDecimals) + 8) * quotePrice;
        uint256 denominator = 10 ** (uint256(quoteDecimals) + feedDecimals);
        uint256 expected = Math.mulDiv(_power(tick), numerator, denominator << 40) >> 60;
        assertApproxEqAbs(uint256(_answer(feed)), expected, 1 + expected / 1e12);
    }

    function test_answer_isAsOldAsTheQuotes(uint40 updatedAt) public {
        (ToldPool pool, UniswapV3TwapFeed feed) = _told(18, 18, 1, new ToldFeed(1e8, 8, updatedAt));
        pool.tell(0, 0);
        (,,, uint256 reported,) = feed.latestRoundData();
        // Also one in the future: the reader refuses it.
        assertEq(reported, updatedAt);
    }

    function test_answer_revert_quoteNotPositive(int256 price) public {
        price = bound(price, type(int256).min, 0);
        IPriceFeed quoteFeed = new ToldFeed(price, 8, block.timestamp);
        (, UniswapV3TwapFeed feed) = _told(18, 18, 1, quoteFeed);
        vm.expectRevert(abi.encodeWithSelector(UniswapV3TwapFeed.QuoteNotPositive.selector, address(quoteFeed), price));
        feed.latestRoundData();
    }

    /// Less than a hundred-millionth of a dollar is zero, which readers refuse.
    function test_answer_dustIsZero() public {
        (ToldPool pool, UniswapV3TwapFeed feed) = _told(0, 18, 1, PAR);
        pool.tell(0, 0);
        assertEq(_answer(feed), 0);
    }

    function test_answer_revert_tooLargeForAnAnswer() public {
        (ToldPool pool, UniswapV3TwapFeed feed) = _told(30, 0, 1, PAR);
        pool.tell(0, 887272); // times 10^38 is 0.59 * 2^255
        assertGt(_answer(feed), 0);
        (pool, feed) = _told(30, 0, 1, new FixedFeed(175, 2, ""));
        pool.tell(0, 887272); // and three quarters more is above it
        vm.expectPartialRevert(SafeCast.SafeCastOverflowedUintToInt.selector);
        feed.latestRoundData();
    }

    function test_answer_revert_poolTellsAnImpossibleTick() public {
        (ToldPool pool, UniswapV3TwapFeed feed) = _told(18, 18, 1, PAR);
        // Truncated to 24 bits this would be tick 0.
        pool.tell(0, 1 << 24);
        vm.expectPartialRevert(SafeCast.SafeCastOverflowedIntDowncast.selector);
        feed.latestRoundData();
    }

    function test_liquidity_sumWrapsAround(uint160 before, uint128 sum) public {
        (ToldPool pool, UniswapV3TwapFeed feed) = _told(18, 18, 1, PAR);
        uint160 afterwards;
        unchecked {
            afterwards = before + sum;
        }
        pool.tellLiquidity(1, before, afterwards);
        assertEq(_answer(feed), 1e8);
    }

    function test_liquidity_revert_oneEmptySecond(uint160 before, uint160 sum) public {
        sum = uint160(bound(sum, 1 << 128, type(uint160).max));
        (ToldPool pool, UniswapV3TwapFeed feed) = _told(18, 18, 1, PAR);
        uint160 afterwards;
        unchecked {
            afterwards = before + sum;
        }
        pool.tellLiquidity(7, before, afterwards);
        vm.expectRevert(abi.encodeWithSelector(UniswapV3TwapFeed.NoLiquidity.selector, address(pool), 7, sum));
        feed.latestRoundData();
    }

    // ---- construction

    function test_constructor_revert_baseNotInPool() public {
        address stranger = makeAddr("stranger");
        vm.expectRevert(abi.encodeWithSelector(UniswapV3TwapFeed.NotInPool.selector, address(pools[0]), stranger));
        new UniswapV3TwapFeed(pools[0], stranger, WINDOW, BLOCK_SECONDS, PAR);
    }

    function test_constructor_revert_noWindow() public {
        vm.expectRevert(UniswapV3TwapFeed.WindowIsZero.selector);
        new UniswapV3TwapFeed(pools[0], address(ether_), 0, BLOCK_SECONDS, PAR);
        vm.expectRevert(UniswapV3TwapFeed.WindowIsZero.selector);
        new UniswapV3TwapFeed(pools[0], address(ether_), WINDOW, 0, PAR);
    }
}
