// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Test} from "forge-std/Test.sol";
import {VmSafe} from "forge-std/Vm.sol";
import {CaveatEnforcer} from "../../src/enforcers/CaveatEnforcer.sol";
import {ManagedEnforcer} from "../../src/enforcers/ManagedEnforcer.sol";
import {ICaveatEnforcer} from "../../src/interfaces/ICaveatEnforcer.sol";
import {IPriceFeed} from "../../src/interfaces/IPriceFeed.sol";
import {IPositionManager, IUniswapV3Factory, IUniswapV3Pool} from "../../src/interfaces/IUniswapV3.sol";
import {IPolicyCage} from "../../src/interfaces/IPolicyCage.sol";
import {IVitals} from "../../src/interfaces/IVitals.sol";
import {Calls} from "../../src/libraries/Calls.sol";
import {Mandate} from "../../src/libraries/Mandate.sol";
import {Methods} from "../../src/libraries/Methods.sol";
import {VitalSigns} from "../../src/libraries/VitalSigns.sol";
import {ERC20, IERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";
import {ERC4626} from "@openzeppelin/contracts/token/ERC20/extensions/ERC4626.sol";
import {PolicyCage} from "../../src/policy/PolicyCage.sol";

contract Token is ERC20 {
    uint8 private immutable _decimals;

    constructor(string memory name, uint8 decimals_) ERC20(name, name) {
        _decimals = decimals_;
    }

    function decimals() public view override returns (uint8) {
        return _decimals;
    }

    function mint(address to, uint256 amount) external {
        _mint(to, amount);
    }

    function burn(address from, uint256 amount) external {
        _burn(from, amount);
    }
}

contract Vault is ERC4626 {
    constructor(IERC20 asset) ERC20("Vault", "VLT") ERC4626(asset) {}
}

contract Feed is IPriceFeed {
    uint8 public constant decimals = 8;
    int256 public answer;
    uint256 public updatedAt;

    function set(int256 answer_) external {
        (answer, updatedAt) = (answer_, block.timestamp);
    }

    function latestRoundData() external view returns (uint80, int256, uint256, uint256, uint80) {
        return (1, answer, updatedAt, updatedAt, 1);
    }
}

/// @title An enforcer alone: a mock manager calls its hooks and changes balances in between
/// @dev An inheriting contract defines valid terms, and gets the tests that every enforcer must pass.
abstract contract EnforcerTest is Test {
    struct Call {
        address target;
        uint256 value;
        bytes data;
    }

    bytes32 internal constant SINGLE = bytes32(0);
    bytes32 internal constant SINGLE_TRY = bytes32(uint256(1) << 240);
    bytes32 internal constant BATCH = bytes32(uint256(1) << 248);
    bytes32 internal constant BATCH_TRY = bytes32(uint256(0x0101) << 240);
    bytes32 internal constant HASH = keccak256("delegation");
    bytes32 internal constant GOLEM = keccak256("golem");
    bytes32 internal constant LINEAGE = keccak256("lineage");

    uint8 internal constant USDC = 0;
    uint8 internal constant WETH = 1;
    uint8 internal constant NATIVE = 2;

    address internal manager = makeAddr("manager");
    address internal stranger = makeAddr("stranger");
    address internal redeemer = makeAddr("redeemer");
    address internal account = makeAddr("account");
    address internal payee = makeAddr("payee");
    address internal author = makeAddr("author");
    address internal router = makeAddr("router");
    address internal positions = makeAddr("positions");
    address internal factory = makeAddr("factory");
    address internal pool = makeAddr("pool");
    address internal spawner = makeAddr("spawner");
    address internal publisher = makeAddr("publisher");
    address internal market = makeAddr("market");
    IVitals internal vitals = IVitals(makeAddr("vitals"));
    IPolicyCage internal policyCage = new PolicyCage();

    Token internal usdc;
    Token internal weth;
    Vault internal vault;
    Feed internal feed;

    function setUp() public virtual {
        vm.warp(1_800_000_000);
        usdc = new Token("USDC", 6);
        weth = new Token("WETH", 18);
        vault = new Vault(usdc);
        feed = new Feed();
        feed.set(3000e8);
        usdc.mint(account, 10_000_000e6);
        weth.mint(account, 10_000e18);
        vm.deal(account, 1_000 ether);
        _setVitals(VitalSigns.THRIVING, 0, 0, 0, VitalSigns.ALIVE);
        vm.mockCall(positions, abi.encodeCall(IPositionManager.factory, ()), abi.encode(factory));
        vm.mockCall(
            factory, abi.encodeCall(IUniswapV3Factory.getPool, (address(usdc), address(weth), 500)), abi.encode(pool)
        );
        vm.mockCall(pool, abi.encodeCall(IUniswapV3Pool.token0, ()), abi.encode(usdc));
        vm.mockCall(pool, abi.encodeCall(IUniswapV3Pool.token1, ()), abi.encode(weth));
        // 1e18 / 3000e6 of WETH's units for one of USDC's; the root of that, times 2^96.
        _setSpot(1446501726624926496477173928747177);
    }

    // What the inheriting test defines.

    function _enforcer() internal view virtual returns (ICaveatEnforcer);

    /// @dev Terms that allow a payment of ten dollars.
    function _goodTerms() internal view virtual returns (bytes memory);

    /// @dev The matching `args`.
    function _goodArgs(bytes32, bytes memory) internal view virtual returns (bytes memory) {
        return "";
    }

    /// @dev Whether it has state or a target rule, and so accepts one manager only.
    function _isManaged() internal pure virtual returns (bool) {
        return true;
    }

    // What every enforcer must do.

    function test_hooks_single() public {
        _redeem(_goodTerms(), SINGLE, _payment(10e6));
    }

    function test_hooks_batch() public {
        _redeem(_goodTerms(), BATCH, _batch(_paymentCall(10e6)));
    }

    function test_beforeHook_revert_singleTry() public {
        _refusesMode(SINGLE_TRY, _payment(10e6));
    }

    function test_beforeHook_revert_batchTry() public {
        _refusesMode(BATCH_TRY, _batch(_paymentCall(10e6)));
    }

    function test_beforeHook_revert_unknownMode(bytes32 mode) public {
        vm.assume(mode != SINGLE && mode != BATCH);
        _refusesMode(mode, _payment(10e6));
        _refusesMode(mode, _batch(_paymentCall(10e6)));
    }

    function test_beforeHook_revert_shortExecution() public {
        _refuses(_goodTerms(), "", SINGLE, new bytes(51), abi.encodeWithSelector(Calls.ExecutionTooShort.selector, 51));
    }

    function test_beforeHook_revert_termsOneByteShort() public {
        bytes memory terms = _goodTerms();
        bytes memory cut = _cut(terms);
        bytes memory rest = abi.encodePacked(terms[terms.length - 1]);
        bytes memory reason =
            abi.encodeWithSelector(CaveatEnforcer.TermsLength.selector, terms.length - 1, terms.length);
        // The missing byte follows in calldata: it must not be read from there.
        _refuses(cut, rest, SINGLE, _payment(10e6), reason);
        _refuses(cut, rest, BATCH, _batch(_paymentCall(10e6)), reason);
    }

    function test_beforeHook_revert_termsOneByteLong(uint8 more) public {
        bytes memory terms = _goodTerms();
        bytes memory reason =
            abi.encodeWithSelector(CaveatEnforcer.TermsLength.selector, terms.length + 1, terms.length);
        _refuses(abi.encodePacked(terms, more), "", SINGLE, _payment(10e6), reason);
    }

    function test_beforeHook_revert_termsEmpty() public {
        vm.expectPartialRevert(CaveatEnforcer.TermsLength.selector);
        vm.prank(manager);
        _enforcer().beforeHook("", _goodTerms(), SINGLE, _payment(10e6), HASH, account, redeemer);
    }

    function test_allHooks_doNothing(address caller, bytes32 mode, bytes calldata anything) public {
        vm.startPrank(caller);
        vm.startStateDiffRecording();
        _enforcer().beforeAllHook(anything, anything, mode, anything, HASH, account, redeemer);
        _enforcer().afterAllHook(anything, anything, mode, anything, HASH, account, redeemer);
        assertEq(_written(), 0, "these two hooks write nothing");
        vm.stopPrank();
    }

    /// @dev A wrapper or another manager is another caller: it would open a second budget and a second lock.
    function test_beforeHook_revert_anotherCaller(address caller) public {
        vm.assume(caller != manager);
        bytes memory execution = _payment(10e6);
        bytes memory args = _goodArgs(SINGLE, execution);
        bytes memory terms = _goodTerms();
        if (_isManaged()) {
            vm.expectRevert(abi.encodeWithSelector(ManagedEnforcer.NotDelegationManager.selector, caller));
        }
        vm.prank(caller);
        _enforcer().beforeHook(terms, args, SINGLE, execution, HASH, account, redeemer);
    }

    function test_hooks_strangerLeavesNoTrace() public {
        bytes memory terms = _goodTerms();
        bytes memory execution = _payment(10e6);
        bytes memory args = _goodArgs(SINGLE, execution);
        // Opened by a stranger and not closed, with everything else the same.
        vm.prank(stranger);
        try _enforcer().beforeHook(terms, args, SINGLE, execution, HASH, account, redeemer) {} catch {}
        _redeem(terms, SINGLE, execution);
    }

    // Hooks, as the manager calls them.

    function _redeem(bytes memory terms, bytes32 mode, bytes memory execution) internal {
        _before(terms, mode, execution);
        vm.prank(account);
        usdc.transfer(payee, 10e6);
        _after(terms, mode, execution);
    }

    function _before(bytes memory terms, bytes32 mode, bytes memory execution) internal {
        bytes memory args = _goodArgs(mode, execution);
        vm.prank(manager);
        _enforcer().beforeHook(terms, args, mode, execution, HASH, account, redeemer);
    }

    function _after(bytes memory terms, bytes32 mode, bytes memory execution) internal {
        vm.prank(manager);
        _enforcer().afterHook(terms, "", mode, execution, HASH, account, redeemer);
    }

    function _refuses(bytes memory terms, bytes memory args, bytes32 mode, bytes memory execution, bytes memory reason)
        internal
    {
        vm.expectRevert(reason);
        vm.prank(manager);
        _enforcer().beforeHook(terms, args, mode, execution, HASH, account, redeemer);
    }

    function _refuses(bytes memory terms, bytes memory execution, bytes memory reason) internal {
        _refuses(terms, "", SINGLE, execution, reason);
    }

    function _afterRefuses(bytes memory terms, bytes32 mode, bytes memory execution, bytes memory reason) internal {
        vm.expectRevert(reason);
        _after(terms, mode, execution);
    }

    function _refusesMode(bytes32 mode, bytes memory execution) private {
        bytes memory args = _goodArgs(mode, execution);
        bytes memory reason = abi.encodeWithSelector(Calls.ModeNotSupported.selector, mode);
        _refuses(_goodTerms(), args, mode, execution, reason);
    }

    function _written() private returns (uint256 writes) {
        VmSafe.AccountAccess[] memory accesses = vm.stopAndReturnStateDiff();
        for (uint256 i; i < accesses.length; ++i) {
            for (uint256 j; j < accesses[i].storageAccesses.length; ++j) {
                if (accesses[i].storageAccesses[j].isWrite) ++writes;
            }
        }
    }

    // Terms.

    /// @dev USDC at par, WETH and the native currency by feed; one contract of each kind; two payees.
    function _mandate() internal view returns (bytes memory) {
        bytes memory assets = abi.encodePacked(
            abi.encodePacked(address(usdc), address(0), uint24(0), uint8(14)),
            abi.encodePacked(address(weth), address(feed), uint24(1 hours), uint8(26)),
            abi.encodePacked(address(0), address(feed), uint24(1 hours), uint8(26))
        );
        bytes memory head = abi.encodePacked(account, uint8(3), uint8(7), uint8(2));
        return abi.encodePacked(head, assets, _targets(), payee, author);
    }

    function _targets() private view returns (bytes memory) {
        bytes memory decoded = abi.encodePacked(
            abi.encodePacked(Mandate.SWAP_ROUTER_02, router, bytes4(0)),
            abi.encodePacked(Mandate.POSITION_MANAGER, positions, bytes4(0)),
            abi.encodePacked(Mandate.POOL, pool, bytes4(0)),
            abi.encodePacked(Mandate.VAULT, address(vault), bytes4(0))
        );
        return abi.encodePacked(
            decoded,
            abi.encodePacked(Mandate.SPAWN, spawner, bytes4("spwn")),
            abi.encodePacked(Mandate.PUBLISH, publisher, bytes4("publ")),
            abi.encodePacked(Mandate.SALE, market, bytes4("sell"))
        );
    }

    function _cut(bytes memory data) internal pure returns (bytes memory cut) {
        cut = new bytes(data.length - 1);
        for (uint256 i; i < cut.length; ++i) {
            cut[i] = data[i];
        }
    }

    // Executions.

    function _single(Call memory call) internal pure returns (bytes memory) {
        return abi.encodePacked(call.target, call.value, call.data);
    }

    function _batch(Call memory a) internal pure returns (bytes memory) {
        Call[] memory calls = new Call[](1);
        calls[0] = a;
        return abi.encode(calls);
    }

    function _batch(Call memory a, Call memory b) internal pure returns (bytes memory) {
        Call[] memory calls = new Call[](2);
        (calls[0], calls[1]) = (a, b);
        return abi.encode(calls);
    }

    function _batch(Call memory a, Call memory b, Call memory c) internal pure returns (bytes memory) {
        Call[] memory calls = new Call[](3);
        (calls[0], calls[1], calls[2]) = (a, b, c);
        return abi.encode(calls);
    }

    function _payment(uint256 amount) internal view returns (bytes memory) {
        return _single(_paymentCall(amount));
    }

    function _paymentCall(uint256 amount) internal view returns (Call memory) {
        return _transferCall(address(usdc), payee, amount);
    }

    function _transferCall(address token, address to, uint256 amount) internal pure returns (Call memory) {
        return Call(token, 0, abi.encodeCall(IERC20.transfer, (to, amount)));
    }

    function _approveCall(address token, address spender, uint256 amount) internal pure returns (Call memory) {
        return Call(token, 0, abi.encodeCall(IERC20.approve, (spender, amount)));
    }

    function _swapCall(address from, address to, uint256 amount) internal view returns (Call memory) {
        return Call(router, 0, abi.encodeWithSelector(Methods.EXACT_INPUT_SINGLE, from, to, 500, account, amount, 0, 0));
    }

    function _addLiquidityCall(uint256 usdcAmount, uint256 wethAmount) internal view returns (Call memory) {
        bytes memory head = abi.encode(usdc, weth, 500, -60, 60, usdcAmount, wethAmount, 0, 0);
        return Call(positions, 0, abi.encodePacked(Methods.MINT_POSITION, head, abi.encode(account, block.timestamp)));
    }

    function _collectCall() internal view returns (Call memory) {
        return
            Call(
                positions, 0, abi.encodeWithSelector(Methods.COLLECT, 1, account, type(uint128).max, type(uint128).max)
            );
    }

    function _depositCall(uint256 amount) internal view returns (Call memory) {
        return Call(address(vault), 0, abi.encodeCall(ERC4626.deposit, (amount, account)));
    }

    function _withdrawCall(uint256 amount) internal view returns (Call memory) {
        return Call(address(vault), 0, abi.encodeCall(ERC4626.withdraw, (amount, account, account)));
    }

    function _saleCall() internal view returns (Call memory) {
        return Call(market, 0, abi.encodePacked(bytes4("sell"), uint256(1)));
    }

    // The world outside.

    function _setVitals(uint8 phase, int8 pleasure, int8 arousal, int8 dominance, uint8 flags) internal {
        uint256 word =
            VitalSigns.pack(redeemer, phase, 10_000, uint40(block.timestamp), pleasure, arousal, dominance, flags);
        vm.mockCall(address(vitals), abi.encodeCall(IVitals.vitalsOf, (GOLEM)), abi.encode(word));
    }

    function _unregister() internal {
        vm.mockCall(address(vitals), abi.encodeCall(IVitals.vitalsOf, (GOLEM)), abi.encode(0));
    }

    function _setSpot(uint160 sqrtPriceX96) internal {
        vm.mockCall(
            pool,
            abi.encodeCall(IUniswapV3Pool.slot0, ()),
            abi.encode(sqrtPriceX96, int24(0), uint16(0), uint16(0), uint16(0), uint8(0), true)
        );
    }
}
