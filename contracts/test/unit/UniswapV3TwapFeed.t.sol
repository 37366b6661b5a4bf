// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";
import {Math} from "@openzeppelin/contracts/utils/math/Math.sol";
import {SafeCast} from "@openzeppelin/contracts/utils/math/SafeCast.sol";
import {Test} from "forge-std/Test.sol";
import {IPriceFeed} from "../../src/interfaces/IPriceFeed.sol";
import {FixedFeed} from "../../src/oracles/FixedFeed.sol";
import {IObservablePool, UniswapV3TwapFeed} from "../../src/oracles/UniswapV3TwapFeed.sol";

interface IPositions {
    struct MintParams {
        address token0;
        address token1;
        uint24 fee;
        int24 tickLower;
        int24 tickUpper;
        uint256 amount0Desired;
        uint256 amount1Desired;
        uint256 amount0Min;
        uint256 amount1Min;
        address recipient;
        uint256 deadline;
    }

    struct DecreaseLiquidityParams {
        uint256 tokenId;
        uint128 liquidity;
        uint256 amount0Min;
        uint256 amount1Min;
        uint256 deadline;
    }

    function createAndInitializePoolIfNecessary(address token0, address token1, uint24 fee, uint160 sqrtPriceX96)
        external
        payable
        returns (address pool);

    function mint(MintParams calldata params)
        external
        payable
        returns (uint256 tokenId, uint128 liquidity, uint256 amount0, uint256 amount1);

    function decreaseLiquidity(DecreaseLiquidityParams calldata params) external payable returns (uint256, uint256);
}

interface IRouter {
    struct ExactInputSingleParams {
        address tokenIn;
        address tokenOut;
        uint24 fee;
        address recipient;
        uint256 amountIn;
        uint256 amountOutMinimum;
        uint160 sqrtPriceLimitX96;
    }

    function exactInputSingle(ExactInputSingleParams calldata params) external payable returns (uint256 amountOut);
}

interface IPoolSetup {
    function increaseObservationCardinalityNext(uint16 next) external;
}

interface IFactory {
    function createPool(address tokenA, address tokenB, uint24 fee) external returns (address);
}

contract Token is ERC20 {
    uint8 private immutable _decimals;

    constructor(uint8 decimals_) ERC20("Token", "TKN") {
        _decimals = decimals_;
        _mint(msg.sender, 10 ** (uint256(decimals_) + 12));
    }

    function decimals() public view override returns (uint8) {
        return _decimals;
    }
}

/// A pool that says what it is told: for ticks that no market reaches within a test.
contract ToldPool {
    address public token0;
    address public token1;
    uint128 public liquidity = 1;
    int56 private before;
    int56 private afterwards;
    uint160 private secondsPerLiquidityBefore;
    uint160 private secondsPerLiquidityAfterwards;

    constructor(address token0_, address token1_) {
        (token0, token1) = (token0_, token1_);
    }

    function tell(int56 before_, int56 afterwards_) external {
        (before, afterwards) = (before_, afterwards_);
    }

    function tellLiquidity(uint128 liquidity_, uint160 before_, uint160 afterwards_) external {
        (liquidity, secondsPerLiquidityBefore, secondsPerLiquidityAfterwards) = (liquidity_, before_, afterwards_);
    }

    function observe(uint32[] calldata) external view returns (int56[] memory ticks, uint160[] memory perLiquidity) {
        ticks = new int56[](2);
        (ticks[0], ticks[1]) = (before, afterwards);
        perLiquidity = new uint160[](2);
        (perLiquidity[0], perLiquidity[1]) = (secondsPerLiquidityBefore, secondsPerLiquidityAfterwards);
    }
}

contract ToldFeed is IPriceFeed {
    uint8 public immutable decimals;
    int256 private immutable _answer;
    uint256 private immutable _updatedAt;

    constructor(int256 answer, uint8 decimals_, uint256 updatedAt) {
        (_answer, decimals, _updatedAt) = (answer, decimals_, updatedAt);
    }

    function latestRoundData() external view returns (uint80, int256, uint256, uint256, uint80) {
        return (1, _answer, _updatedAt, _updatedAt, 1);
    }
}

contract UniswapV3TwapFeedTest is Test {
    uint32 private constant WINDOW = 30 minutes;
    IPriceFeed private constant PAR = IPriceFeed(address(0));
    uint24 private constant FEE = 500;

    IPositions private positions;
    IRouter private router;
    address private factory;
    Token private ether_;

    /// One dollar that sorts before ether in its pool, and one that sorts after it.
    Token[2] private dollars;
    IObservablePool[2] private pools;
    uint256[2] private positionIds;
    uint128[2] private liquidities;

    function setUp() public {
        vm.warp(1_800_000_000);
        address weth = deployCode("out/protocols/WETH9.json");
        factory = deployCode("out/protocols/UniswapV3Factory.json");
        positions = IPositions(
            deployCode("out/protocols/NonfungiblePositionManager.json", abi.encode(factory, weth, address(0)))
        );
        router = IRouter(
            deployCode("out/protocols/SwapRouter02.json", abi.encode(address(0), factory, address(positions), weth))
        );
        ether_ = new Token(18);
        for (uint256 i; i < 2; i++) {
            dollars[i] = _dollar({beforeEther: i == 0});
            _openPool(i);
        }
        vm.warp(block.timestamp + 1 days);
    }

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
        UniswapV3TwapFeed feed = new UniswapV3TwapFeed(IObservablePool(forgetful), address(ether_), WINDOW, PAR);
        assertApproxEqRel(_answer(feed), 2_000e8, 0.0002e18);
        _sellIn(0, 3_000, 1e18);
        vm.expectRevert(abi.encodeWithSelector(UniswapV3TwapFeed.WindowNotObserved.selector, forgetful, WINDOW));
        feed.latestRoundData();
    }

    function test_answer_revert_poolNotInitialised() public {
        address empty = IFactory(factory).createPool(address(dollars[0]), address(ether_), 10_000);
        UniswapV3TwapFeed feed = new UniswapV3TwapFeed(IObservablePool(empty), address(ether_), WINDOW, PAR);
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

    // ---- a pool that is told what to say

    function test_meanTick_roundsTowardsMinusInfinity(int56 before, int56 sum, uint32 window) public {
        window = uint32(bound(window, 1, type(uint32).max));
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
        // One from the future too: the reader refuses it.
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
        // Cut down to 24 bits this would be tick 0.
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
        new UniswapV3TwapFeed(pools[0], stranger, WINDOW, PAR);
    }

    function test_constructor_revert_noWindow() public {
        vm.expectRevert(UniswapV3TwapFeed.WindowIsZero.selector);
        new UniswapV3TwapFeed(pools[0], address(ether_), 0, PAR);
    }

    // ---- the market

    function _feed(uint256 i) private returns (UniswapV3TwapFeed) {
        return new UniswapV3TwapFeed(pools[i], address(ether_), WINDOW, PAR);
    }

    function _answer(UniswapV3TwapFeed feed) private view returns (int256 answer) {
        (, answer,,,) = feed.latestRoundData();
    }

    function _told(uint8 baseDecimals, uint8 quoteDecimals, uint32 window, IPriceFeed quoteFeed)
        private
        returns (ToldPool pool, UniswapV3TwapFeed feed)
    {
        Token base = new Token(baseDecimals);
        pool = new ToldPool(address(base), address(new Token(quoteDecimals)));
        feed = new UniswapV3TwapFeed(IObservablePool(address(pool)), address(base), window, quoteFeed);
    }

    /// 1.0001^tick * 2^100, plainly: one multiplication per thousand ticks and one per tick that is left.
    function _power(int24 tick) private pure returns (uint256 price) {
        uint256 n = tick < 0 ? uint24(-tick) : uint24(tick);
        uint256 thousand = 1 << 100;
        for (uint256 i; i < 1_000; i++) {
            thousand = thousand * 10_001 / 10_000;
        }
        price = 1 << 100;
        for (uint256 i; i < n / 1_000; i++) {
            price = (price * thousand) >> 100;
        }
        for (uint256 i; i < n % 1_000; i++) {
            price = price * 10_001 / 10_000;
        }
        if (tick < 0) price = (1 << 200) / price;
    }

    function _dollar(bool beforeEther) private returns (Token dollar) {
        do {
            dollar = new Token(6);
        } while (address(dollar) < address(ether_) != beforeEther);
    }

    /// 2,000 dollars (6 decimals) for one ether (18 decimals), as a square root with 96 binary places.
    function _sqrtPrice(uint256 i) private pure returns (uint160) {
        return uint160(Math.sqrt(i == 0 ? Math.mulDiv(1e18, 1 << 192, 2_000e6) : Math.mulDiv(2_000e6, 1 << 192, 1e18)));
    }

    function _openPool(uint256 i) private {
        (address token0, address token1) = _sorted(i);
        address pool = positions.createAndInitializePoolIfNecessary(token0, token1, FEE, _sqrtPrice(i));
        pools[i] = IObservablePool(pool);
        IPoolSetup(pool).increaseObservationCardinalityNext(100);
        (positionIds[i], liquidities[i]) = _mint(i, FEE, 10);
    }

    function _sorted(uint256 i) private view returns (address, address) {
        return i == 0 ? (address(dollars[i]), address(ether_)) : (address(ether_), address(dollars[i]));
    }

    /// 10,000 ether and the dollars for them, over the whole range.
    function _mint(uint256 i, uint24 fee, int24 spacing) private returns (uint256 id, uint128 liquidity) {
        (address token0, address token1) = _sorted(i);
        dollars[i].approve(address(positions), type(uint256).max);
        ether_.approve(address(positions), type(uint256).max);
        (uint256 amount0, uint256 amount1) =
            i == 0 ? (uint256(20_000_000e6), uint256(10_000e18)) : (uint256(10_000e18), uint256(20_000_000e6));
        int24 last = 887272 / spacing * spacing;
        (id, liquidity,,) = positions.mint(
            IPositions.MintParams({
                token0: token0,
                token1: token1,
                fee: fee,
                tickLower: -last,
                tickUpper: last,
                amount0Desired: amount0,
                amount1Desired: amount1,
                amount0Min: 0,
                amount1Min: 0,
                recipient: address(this),
                deadline: block.timestamp
            })
        );
    }

    function _drain(uint256 i) private {
        positions.decreaseLiquidity(
            IPositions.DecreaseLiquidityParams(positionIds[i], liquidities[i], 0, 0, block.timestamp)
        );
        assertEq(pools[i].liquidity(), 0);
    }

    function _sell(uint256 i, uint256 amount) private {
        _sellIn(i, FEE, amount);
    }

    function _sellIn(uint256 i, uint24 fee, uint256 amount) private {
        ether_.approve(address(router), amount);
        router.exactInputSingle(
            IRouter.ExactInputSingleParams({
                tokenIn: address(ether_),
                tokenOut: address(dollars[i]),
                fee: fee,
                recipient: address(this),
                amountIn: amount,
                amountOutMinimum: 0,
                sqrtPriceLimitX96: 0
            })
        );
    }
}
