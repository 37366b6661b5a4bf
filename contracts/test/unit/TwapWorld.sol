// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";
import {Math} from "@openzeppelin/contracts/utils/math/Math.sol";
import {Test} from "forge-std/Test.sol";
import {IPriceFeed} from "../../src/interfaces/IPriceFeed.sol";
import {IUniswapV3Pool} from "../../src/interfaces/IUniswapV3.sol";
import {UniswapV3TwapFeed} from "../../src/oracles/UniswapV3TwapFeed.sol";

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

/// A pool with preset answers: for ticks that no market reaches within a test.
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

    function slot0() external pure returns (uint160, int24, uint16, uint16, uint16, uint8, bool) {
        return (1, 0, 0, type(uint16).max, 0, 0, true);
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

abstract contract TwapWorld is Test {
    uint32 internal constant WINDOW = 30 minutes;
    uint32 internal constant BLOCK_SECONDS = 12;
    IPriceFeed internal constant PAR = IPriceFeed(address(0));
    uint24 internal constant FEE = 500;

    IPositions internal positions;
    IRouter internal router;
    address internal factory;
    Token internal ether_;

    /// One dollar that sorts before ether in its pool, and one that sorts after it.
    Token[2] internal dollars;
    IUniswapV3Pool[2] internal pools;
    uint256[2] internal positionIds;
    uint128[2] internal liquidities;

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

    // ---- the market

    function _feed(uint256 i) internal returns (UniswapV3TwapFeed) {
        return new UniswapV3TwapFeed(pools[i], address(ether_), WINDOW, BLOCK_SECONDS, PAR);
    }

    function _answer(UniswapV3TwapFeed feed) internal view returns (int256 answer) {
        (, answer,,,) = feed.latestRoundData();
    }

    function _told(uint8 baseDecimals, uint8 quoteDecimals, uint32 window, IPriceFeed quoteFeed)
        internal
        returns (ToldPool pool, UniswapV3TwapFeed feed)
    {
        Token base = new Token(baseDecimals);
        pool = new ToldPool(address(base), address(new Token(quoteDecimals)));
        feed = new UniswapV3TwapFeed(IUniswapV3Pool(address(pool)), address(base), window, BLOCK_SECONDS, quoteFeed);
    }

    /// 1.0001^tick * 2^100, computed naively: one multiplication per thousand ticks and one per remaining tick.
    function _power(int24 tick) internal pure returns (uint256 price) {
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

    function _dollar(bool beforeEther) internal returns (Token dollar) {
        do {
            dollar = new Token(6);
        } while (address(dollar) < address(ether_) != beforeEther);
    }

    /// 2,000 dollars (6 decimals) for one ether (18 decimals), as a square root with 96 binary places.
    function _sqrtPrice(uint256 i) internal pure returns (uint160) {
        return uint160(Math.sqrt(i == 0 ? Math.mulDiv(1e18, 1 << 192, 2_000e6) : Math.mulDiv(2_000e6, 1 << 192, 1e18)));
    }

    function _openPool(uint256 i) internal {
        (address token0, address token1) = _sorted(i);
        address pool = positions.createAndInitializePoolIfNecessary(token0, token1, FEE, _sqrtPrice(i));
        pools[i] = IUniswapV3Pool(pool);
        IPoolSetup(pool).increaseObservationCardinalityNext(200);
        // Requested room is available from the first observation of a later block.
        skip(1);
        (positionIds[i], liquidities[i]) = _mint(i, FEE, 10);
    }

    function _sorted(uint256 i) internal view returns (address, address) {
        return i == 0 ? (address(dollars[i]), address(ether_)) : (address(ether_), address(dollars[i]));
    }

    /// 10,000 ether and the dollars for them, over the whole range.
    function _mint(uint256 i, uint24 fee, int24 spacing) internal returns (uint256 id, uint128 liquidity) {
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

    function _drain(uint256 i) internal {
        positions.decreaseLiquidity(
            IPositions.DecreaseLiquidityParams(positionIds[i], liquidities[i], 0, 0, block.timestamp)
        );
        assertEq(pools[i].liquidity(), 0);
    }

    function _sell(uint256 i, uint256 amount) internal {
        _sellIn(i, FEE, amount);
    }

    function _sellIn(uint256 i, uint24 fee, uint256 amount) internal {
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
