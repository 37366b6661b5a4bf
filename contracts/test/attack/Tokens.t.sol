// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Attack} from "./Attack.sol";
import {FeeToken, HookToken} from "./Hostile.sol";
import {Delegation, INonfungiblePositionManager, ISwapRouter02} from "../Framework.sol";
import {CageEnforcer} from "../../src/enforcers/CageEnforcer.sol";
import {ManagedEnforcer} from "../../src/enforcers/ManagedEnforcer.sol";
import {Mandate} from "../../src/libraries/Mandate.sol";
import {RollingBudget} from "../../src/libraries/RollingBudget.sol";
import {UsdcVault} from "../../devnet/UsdcVault.sol";
import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {IERC4626} from "@openzeppelin/contracts/interfaces/IERC4626.sol";

/// @title Tokens that take a fee, signed as assets
contract FeeTokensTest is Attack {
    function test_fromTheReceiver_countsWhatTheAccountLost() public {
        (FeeToken fee, Delegation memory by) = _assetOf(false);
        _redeem(by, SINGLE, _single(address(fee), 0, _transfer(payee, 100e6)));
        assertEq(fee.balanceOf(payee), 99e6);
        assertEq(_spentCents(account, GOLEM), 100_00);
    }

    function test_onTop_countsTheFeeToo() public {
        (FeeToken fee, Delegation memory by) = _assetOf(true);
        _redeem(by, SINGLE, _single(address(fee), 0, _transfer(payee, 100e6)));
        assertEq(fee.balanceOf(account), 10_000e6 - 101e6);
        assertEq(_spentCents(account, GOLEM), 101_00);
    }

    function test_onTop_revert_feeBeyondTheLimit() public {
        (FeeToken fee, Delegation memory by) = _assetOf(true);
        _redeem(by, SINGLE, _single(address(fee), 0, _transfer(payee, 500e6)));
        vm.expectRevert(abi.encodeWithSelector(RollingBudget.SpendLimitExceeded.selector, 505_00, 500_94, 1_000_00));
        _redeem(by, SINGLE, _single(address(fee), 0, _transfer(payee, 495.98e6)));
    }

    function test_onTop_revert_feeBeyondTheSize() public {
        (FeeToken fee, Delegation memory by) = _assetOf(true);
        vm.expectRevert(abi.encodeWithSelector(CageEnforcer.SizeExceeded.selector, 1_009_99, 1_000_00, 0));
        _redeem(by, SINGLE, _single(address(fee), 0, _transfer(payee, 999.99e6)));
    }

    function test_deposit_countsTheFeeToo() public {
        FeeToken fee = new FeeToken(true);
        UsdcVault feeVault = new UsdcVault(fee);
        Delegation memory by = _delegationOf(fee, Mandate.VAULT, address(feeVault));
        _redeem(
            by,
            BATCH,
            _batch(
                _call(address(fee), _approve(address(feeVault), 100e6)),
                _call(address(feeVault), abi.encodeCall(IERC4626.deposit, (100e6, account)))
            )
        );
        assertEq(_spentCents(account, GOLEM), 101_00);
    }

    /// @dev The pool requires the promised amount and gets less: Uniswap itself refuses.
    function test_swap_revert_poolGetsTooLittle() public {
        FeeToken fee = new FeeToken(false);
        address feePool = _poolOf(fee);
        Delegation memory by = _delegationOf(fee, Mandate.SWAP_ROUTER_02, address(router));
        bytes memory swap = abi.encodeCall(
            ISwapRouter02.exactInputSingle,
            (ISwapRouter02.ExactInputSingleParams(address(fee), address(usdc), 500, account, 100e6, 0, 0))
        );
        vm.expectRevert(bytes("IIA"));
        _redeem(by, BATCH, _batch(_call(address(fee), _approve(address(router), 100e6)), _call(address(router), swap)));
        assertGt(fee.balanceOf(feePool), 0);
        assertEq(fee.balanceOf(account), 10_000e6);
    }

    function _poolOf(FeeToken fee) private returns (address made) {
        (address token0, address token1) =
            address(fee) < address(usdc) ? (address(fee), address(usdc)) : (address(usdc), address(fee));
        made = positions.createAndInitializePoolIfNecessary(token0, token1, 500, 1 << 96);
        // A mint that pays the fee token fails too, so the pool gets liquidity in one token only, the honest one.
        fee.mint(made, 1e6);
        usdc.mint(address(this), 1_000e6);
        bool usdcFirst = token0 == address(usdc);
        (int24 low, int24 high) = usdcFirst ? (int24(10), int24(1_000)) : (int24(-1_000), int24(-10));
        positions.mint(
            INonfungiblePositionManager.MintParams(
                token0,
                token1,
                500,
                low,
                high,
                usdcFirst ? 1_000e6 : 0,
                usdcFirst ? 0 : 1_000e6,
                0,
                0,
                address(this),
                type(uint256).max
            )
        );
    }

    function _assetOf(bool onTop) private returns (FeeToken fee, Delegation memory by) {
        fee = new FeeToken(onTop);
        by = _delegationOf(fee, Mandate.VAULT, address(vault));
    }

    function _delegationOf(FeeToken fee, uint8 kind, address target) private returns (Delegation memory) {
        fee.mint(account, 10_000e6);
        Bounds memory b = _bounds();
        b.mandate = abi.encodePacked(
            account,
            uint8(2),
            uint8(1),
            uint8(1),
            abi.encodePacked(address(usdc), address(0), uint24(0), uint8(14)),
            abi.encodePacked(address(fee), address(0), uint24(0), uint8(14)),
            abi.encodePacked(kind, target, bytes4(0)),
            payee
        );
        return _caged(b);
    }
}

/// @title Calls the Cage's and the account's own functions from inside a transfer
contract Meddler {
    CageEnforcer private immutable cage;
    address private immutable account;
    IERC20 private immutable token;
    bytes private terms;
    bytes public accountsAnswer;
    bytes public cagesAnswer;

    constructor(CageEnforcer cage_, address account_, IERC20 token_) {
        (cage, account, token) = (cage_, account_, token_);
    }

    function load(bytes calldata terms_) external {
        terms = terms_;
    }

    /// @dev Closes the open frames, and makes the account pay once more.
    function wake() external {
        if (terms.length == 0) return;
        bytes memory pay =
            abi.encodePacked(token, uint256(0), abi.encodeCall(IERC20.transfer, (address(this), 1_000_000e6)));
        (, accountsAnswer) =
            account.call(abi.encodeWithSignature("executeFromExecutor(bytes32,bytes)", bytes32(0), pay));
        (, cagesAnswer) =
            address(cage).call(abi.encodeCall(cage.afterHook, (terms, "", 0, "", 0, account, address(this))));
    }
}

/// @title A token that calls the thief during a transfer
contract ReentrantTokensTest is Attack {
    function test_reentrancy_neitherAccountNorCageListen() public {
        HookToken hook = new HookToken();
        hook.mint(account, 1_000_000e6);
        Meddler meddler = new Meddler(cage, account, hook);
        Bounds memory b = _bounds();
        b.mandate = abi.encodePacked(
            account,
            uint8(1),
            uint8(0),
            uint8(1),
            abi.encodePacked(address(hook), address(0), uint24(0), uint8(14)),
            payee
        );
        meddler.load(_terms(b));
        hook.setListener(address(meddler));
        _redeem(_caged(b), SINGLE, _single(address(hook), 0, _transfer(payee, 100e6)));
        assertEq(bytes4(meddler.accountsAnswer()), bytes4(keccak256("NotDelegationManager()")));
        bytes memory refusal = abi.encodeWithSelector(ManagedEnforcer.NotDelegationManager.selector, address(meddler));
        assertEq(meddler.cagesAnswer(), refusal);
        assertEq(hook.balanceOf(account), 1_000_000e6 - 100e6);
        assertEq(_spentCents(account, GOLEM), 100_00);
    }
}
