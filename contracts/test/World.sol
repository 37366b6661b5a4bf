// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {
    Caveat,
    Delegation,
    Execution,
    IDelegationManager,
    IHybridAccount,
    INonfungiblePositionManager,
    ISwapRouter02
} from "./Framework.sol";
import {Usdc} from "../devnet/Usdc.sol";
import {UsdcProxy} from "../devnet/UsdcProxy.sol";
import {UsdcVault} from "../devnet/UsdcVault.sol";
import {ERC1967Proxy} from "@openzeppelin/contracts/proxy/ERC1967/ERC1967Proxy.sol";
import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {Math} from "@openzeppelin/contracts/utils/math/Math.sol";
import {Test} from "forge-std/Test.sol";

/// @title The real framework and the real Uniswap, an owner with money, and a session key
abstract contract World is Test {
    bytes32 internal constant SINGLE = bytes32(0);
    bytes32 internal constant BATCH = bytes32(uint256(1) << 248);
    bytes32 internal constant ROOT = bytes32(type(uint256).max);
    address internal constant ENTRY_POINT = 0x0000000071727De22E5E9d8BAf0edAc6f37da032;
    address internal constant PERMIT2 = 0x000000000022D473030F116dDEE9F6B43aC78BA3;

    IDelegationManager internal manager;
    ISwapRouter02 internal router;
    INonfungiblePositionManager internal positions;
    address internal factory;
    address internal pool;
    Usdc internal usdc;
    IERC20 internal weth;
    UsdcVault internal vault;

    address internal owner;
    uint256 internal ownerKey;
    address internal session;
    uint256 internal sessionKey;
    /// @dev The owner's Hybrid account, which holds the money.
    address internal account;
    address internal payee = makeAddr("payee");
    address internal thief = makeAddr("thief");

    function setUp() public virtual {
        vm.warp(1_800_000_000);
        (owner, ownerKey) = makeAddrAndKey("owner");
        (session, sessionKey) = makeAddrAndKey("session");
        _deployFramework();
        _deployMoney();
        _deployUniswap();
        usdc.mint(account, 1_000_000e6);
        deal(address(weth), account, 100 ether);
    }

    function _deployFramework() private {
        manager = IDelegationManager(_deploy("DelegationManager", abi.encode(address(this))));
        address implementation = _deploy("HybridDeleGator", abi.encode(manager, ENTRY_POINT));
        string[] memory none = new string[](0);
        uint256[] memory nothing = new uint256[](0);
        account = address(
            new ERC1967Proxy(implementation, abi.encodeCall(IHybridAccount.initialize, (owner, none, nothing, nothing)))
        );
    }

    function _deployMoney() private {
        usdc = Usdc(address(new UsdcProxy(address(new Usdc(address(this))))));
        vault = new UsdcVault(usdc);
        usdc.mint(address(this), 1_000_000e6);
        usdc.approve(address(vault), type(uint256).max);
        vault.deposit(1_000_000e6, address(this));
        weth = IERC20(_deploy("WETH9", ""));
    }

    /// @dev One deep WETH/USDC pool at 3,000.
    function _deployUniswap() private {
        factory = _deploy("UniswapV3Factory", "");
        positions = INonfungiblePositionManager(
            _deploy("NonfungiblePositionManager", abi.encode(factory, address(weth), address(0)))
        );
        router =
            ISwapRouter02(_deploy("SwapRouter02", abi.encode(address(0), factory, address(positions), address(weth))));
        usdc.mint(address(this), 300_000_000e6);
        deal(address(weth), address(this), 100_000 ether);
        usdc.approve(address(positions), type(uint256).max);
        weth.approve(address(positions), type(uint256).max);
        bool usdcFirst = address(usdc) < address(weth);
        (uint256 amount0, uint256 amount1) = usdcFirst
            ? (uint256(300_000_000e6), uint256(100_000 ether))
            : (uint256(100_000 ether), uint256(300_000_000e6));
        (address token0, address token1) = usdcFirst ? (address(usdc), address(weth)) : (address(weth), address(usdc));
        uint160 price = uint160(Math.sqrt(Math.mulDiv(amount1, 1 << 128, amount0)) << 32);
        pool = positions.createAndInitializePoolIfNecessary(token0, token1, 500, price);
        positions.mint(
            INonfungiblePositionManager.MintParams(
                token0, token1, 500, -887_270, 887_270, amount0, amount1, 0, 0, address(this), type(uint256).max
            )
        );
    }

    function _deploy(string memory name, bytes memory args) internal returns (address) {
        return deployCode(string.concat("out/protocols/", name, ".json"), args);
    }

    /// @dev A contract of Bardo: the deployed bytecode, or with BARDO_CAGE=source forge's own build of the sources, for
    ///      coverage and to see a test fail when a line is removed.
    function _deployOurs(string memory name, bytes memory args) internal returns (address) {
        bool source = keccak256(bytes(vm.envOr("BARDO_CAGE", string("")))) == keccak256("source");
        return source ? deployCode(string.concat(name, ".sol:", name), args) : _deploy(name, args);
    }

    // --- Delegations

    function _delegation(address enforcer, bytes memory terms) internal view returns (Delegation memory d) {
        d.delegate = session;
        d.delegator = account;
        d.authority = ROOT;
        d.salt = 1;
        if (enforcer != address(0)) {
            d.caveats = new Caveat[](1);
            d.caveats[0] = Caveat(enforcer, terms, "");
        }
    }

    function _sign(Delegation memory d, uint256 key) internal view returns (Delegation memory) {
        bytes32 digest = keccak256(abi.encodePacked("\x19\x01", manager.getDomainHash(), manager.getDelegationHash(d)));
        (uint8 v, bytes32 r, bytes32 s) = vm.sign(key, digest);
        d.signature = abi.encodePacked(r, s, v);
        return d;
    }

    function _redeem(Delegation memory d, bytes32 mode, bytes memory execution) internal {
        Delegation[] memory chain = new Delegation[](1);
        chain[0] = d;
        _redeemChain(session, chain, mode, execution);
    }

    function _redeemChain(address by, Delegation[] memory chain, bytes32 mode, bytes memory execution) internal {
        bytes[] memory contexts = new bytes[](1);
        contexts[0] = abi.encode(chain);
        bytes32[] memory modes = new bytes32[](1);
        modes[0] = mode;
        bytes[] memory executions = new bytes[](1);
        executions[0] = execution;
        // A plain key sends its own transactions.
        if (by.code.length == 0) vm.prank(by, by);
        else vm.prank(by);
        manager.redeemDelegations(contexts, modes, executions);
    }

    // --- Executions

    function _single(address target, uint256 value, bytes memory data) internal pure returns (bytes memory) {
        return abi.encodePacked(target, value, data);
    }

    function _batch(Execution memory a, Execution memory b) internal pure returns (bytes memory) {
        Execution[] memory list = new Execution[](2);
        (list[0], list[1]) = (a, b);
        return abi.encode(list);
    }

    function _call(address target, bytes memory data) internal pure returns (Execution memory) {
        return Execution(target, 0, data);
    }

    function _approve(address spender, uint256 amount) internal pure returns (bytes memory) {
        return abi.encodeCall(IERC20.approve, (spender, amount));
    }

    function _transfer(address to, uint256 amount) internal pure returns (bytes memory) {
        return abi.encodeCall(IERC20.transfer, (to, amount));
    }

    function _swapData(uint256 amountIn, address recipient) internal view returns (bytes memory) {
        return abi.encodeCall(
            ISwapRouter02.exactInputSingle,
            (ISwapRouter02.ExactInputSingleParams(address(usdc), address(weth), 500, recipient, amountIn, 0, 0))
        );
    }

    /// @dev Approve exactly, then swap USDC for WETH to `recipient`.
    function _swap(uint256 amountIn, address recipient) internal view returns (bytes memory) {
        return _batch(
            _call(address(usdc), _approve(address(router), amountIn)),
            _call(address(router), _swapData(amountIn, recipient))
        );
    }
}
