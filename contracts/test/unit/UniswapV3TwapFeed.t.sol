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
            UniswapV3TwapFeed feed = new UniswapV3TwapFeed(pools[i], address(dollars[i]), WINDOW, etherFeed);
            assertApproxEqRel(_answer(feed), 1e8, 0.0002e18);
            assertEq(address(feed.quoteFeed()), address(etherFeed));
        }
    }

    /// The attack that spot prices fall to: swap, act, swap back, all in one transaction.
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
        UniswapV3TwapFeed feed = new UniswapV3TwapFeed(pools[0], address(ether_), 2 days, PAR);
        vm.expectRevert(abi.encodeWithSelector(UniswapV3TwapFeed.WindowNotObserved.selector, address(pools[0]), 2 days));
        feed.latestRoundData();
        skip(1 days);
        assertApproxEqRel(_answer(feed), 2_000e8, 0.0002e18);
    }

    /// With room for one observation the past is forgotten with the first swap.
    function test_answer_revert_observationsOverwritten() public {
        address forgetful =
            positions.createAndInitializePoolIfNecessary(address(dollars[0]), address(ether_), 3_000, _sqrtPrice(0));
        _mint(0, 3_000, 60);
        skip(WINDOW);
        UniswapV3TwapFeed feed = new UniswapV3TwapFeed(IUniswapV3Pool(forgetful), address(ether_), WINDOW, PAR);
        assertApproxEqRel(_answer(feed), 2_000e8, 0.0002e18);
        _sellIn(0, 3_000, 1e18);
        vm.expectRevert(abi.encodeWithSelector(UniswapV3TwapFeed.WindowNotObserved.selector, forgetful, WINDOW));
        feed.latestRoundData();
    }

    function test_answer_revert_poolNotInitialised() public {
        address empty = IFactory(factory).createPool(address(dollars[0]), address(ether_), 10_000);
        UniswapV3TwapFeed feed = new UniswapV3TwapFeed(IUniswapV3Pool(empty), address(ether_), WINDOW, PAR);
        vm.expectRevert(abi.encodeWithSelector(UniswapV3TwapFeed.WindowNotObserved.selector, empty, WINDOW));
        feed.latestRoundData();
    }

    function test_answer_revert_poolEmptyNow() public {
        UniswapV3TwapFeed feed = _feed(0);
        _drain(0);
        vm.expectPartialRevert(UniswapV3TwapFeed.NoLiquidity.selector);
        feed.latestRoundData();
    }

    /// An empty pool's price is moved for free; liquidity put in a moment before the theft does not make it good.
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
