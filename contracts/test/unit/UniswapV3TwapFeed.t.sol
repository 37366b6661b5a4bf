// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IPriceFeed} from "../../src/interfaces/IPriceFeed.sol";
import {FixedFeed} from "../../src/oracles/FixedFeed.sol";
import {IUniswapV3Pool} from "../../src/interfaces/IUniswapV3.sol";
import {UniswapV3TwapFeed} from "../../src/oracles/UniswapV3TwapFeed.sol";
import {IFactory, TwapWorld} from "./TwapWorld.sol";

/// @title The feed over a real pool
contract UniswapV3TwapFeedTest is TwapWorld {
    // ---- a real pool

    function test_answer_isThePoolsPrice() public {
        for (uint256 i; i < 2; i++) {
            UniswapV3TwapFeed feed = _feed(i);
            (uint80 roundId, int256 answer, uint256 startedAt, uint256 updatedAt, uint80 answeredInRound) =
                feed.latestRoundData();
            assertApproxEqRel(answer, 2_000e8, 0.0002e18);
            assertEq(startedAt, block.timestamp - WINDOW);
            assertEq(updatedAt, block.timestamp);
            assertEq(roundId, answeredInRound);
            assertEq(feed.decimals(), 8);
            assertEq(feed.quote(), address(dollars[i]));
            assertEq(feed.base(), address(ether_));
            assertEq(feed.window(), WINDOW);
            assertEq(address(feed.pool()), address(pools[i]));
        }
    }

    function test_answer_theOtherWayRoundThroughAQuoteFeed() public {
        IPriceFeed etherFeed = new FixedFeed(2_000e8, 8, "ETH / USD");
        for (uint256 i; i < 2; i++) {
            UniswapV3TwapFeed feed =
                new UniswapV3TwapFeed(pools[i], address(dollars[i]), WINDOW, BLOCK_SECONDS, etherFeed);
            assertApproxEqRel(_answer(feed), 1e8, 0.0002e18);
            assertEq(address(feed.quoteFeed()), address(etherFeed));
        }
    }

    /// The attack on spot prices: swap, act, swap back, all in one transaction.
    function test_answer_doesNotMoveWithinATransaction() public {
        for (uint256 i; i < 2; i++) {
            UniswapV3TwapFeed feed = _feed(i);
            int256 before = _answer(feed);
            _sell(i, 5_000e18);
            assertEq(_answer(feed), before);
        }
    }

    function test_answer_followsAPriceThatStays() public {
        for (uint256 i; i < 2; i++) {
            UniswapV3TwapFeed feed = _feed(i);
            int256 before = _answer(feed);
            // 10,000 ether against 10,000 in the pool: twice the reserve, a quarter of the price.
            _sell(i, 10_000e18);
            skip(WINDOW / 2);
            // Half the window: the geometric mean of 1 and 1/4.
            assertApproxEqRel(_answer(feed), before / 2, 0.002e18);
            skip(WINDOW / 2);
            assertApproxEqRel(_answer(feed), before / 4, 0.002e18);
        }
    }

    function test_answer_revert_poolTooYoung() public {
        UniswapV3TwapFeed feed = new UniswapV3TwapFeed(pools[0], address(ether_), 2 days, 1 hours, PAR);
        vm.expectRevert(abi.encodeWithSelector(UniswapV3TwapFeed.WindowNotObserved.selector, address(pools[0]), 2 days));
        feed.latestRoundData();
        skip(1 days);
        assertApproxEqRel(_answer(feed), 2_000e8, 0.0002e18);
    }

    /// With room for one observation, the first swap erases the past: such a feed is refused.
    function test_constructor_revert_cardinalityTooLow() public {
        address forgetful =
            positions.createAndInitializePoolIfNecessary(address(dollars[0]), address(ether_), 3_000, _sqrtPrice(0));
        _mint(0, 3_000, 60);
        _refusedCardinality(forgetful, 1);
        _refusedCardinality(IFactory(factory).createPool(address(dollars[0]), address(ether_), 10_000), 0);
    }

    /// One observation for every block of the window, and the one before it.
    function test_constructor_cardinalityIsEnough() public {
        new UniswapV3TwapFeed(pools[0], address(ether_), 199 * BLOCK_SECONDS, BLOCK_SECONDS, PAR);
        vm.expectRevert(
            abi.encodeWithSelector(UniswapV3TwapFeed.CardinalityTooLow.selector, address(pools[0]), 200, 201)
        );
        new UniswapV3TwapFeed(pools[0], address(ether_), 200 * BLOCK_SECONDS, BLOCK_SECONDS, PAR);
    }

    /// A trade in every block of the window, each of which moves the price, does not disable the feed.
    function test_answer_strangersCannotSwitchItOff() public {
        UniswapV3TwapFeed feed = _feed(0);
        for (uint256 i; i < WINDOW / BLOCK_SECONDS + 10; ++i) {
            skip(BLOCK_SECONDS);
            _sell(0, 1e18);
        }
        assertGt(_answer(feed), 0);
    }

    function _refusedCardinality(address pool, uint16 cardinality) private {
        bytes memory reason =
            abi.encodeWithSelector(UniswapV3TwapFeed.CardinalityTooLow.selector, pool, cardinality, 151);
        vm.expectRevert(reason);
        new UniswapV3TwapFeed(IUniswapV3Pool(pool), address(ether_), WINDOW, BLOCK_SECONDS, PAR);
    }

    function test_answer_revert_poolEmptyNow() public {
        UniswapV3TwapFeed feed = _feed(0);
        _drain(0);
        vm.expectPartialRevert(UniswapV3TwapFeed.NoLiquidity.selector);
        feed.latestRoundData();
    }

    /// The price of an empty pool can be moved for free; liquidity added just before the theft does not hide that.
    function test_answer_revert_poolWasEmptyWithinTheWindow() public {
        UniswapV3TwapFeed feed = _feed(0);
        _drain(0);
        skip(1);
        _mint(0, FEE, 10);
        vm.expectPartialRevert(UniswapV3TwapFeed.NoLiquidity.selector);
        feed.latestRoundData();
        skip(WINDOW - 1);
        vm.expectPartialRevert(UniswapV3TwapFeed.NoLiquidity.selector);
        feed.latestRoundData();
        skip(1);
        assertApproxEqRel(_answer(feed), 2_000e8, 0.0002e18);
    }
}
