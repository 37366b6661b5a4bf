// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {CaveatEnforcer, EnforcerTest, ICaveatEnforcer} from "./EnforcerTest.sol";
import {ManagedEnforcer} from "../../src/enforcers/ManagedEnforcer.sol";
import {KnowledgeRoyaltyEnforcer} from "../../src/enforcers/KnowledgeRoyaltyEnforcer.sol";
import {Actions} from "../../src/libraries/Actions.sol";
import {Royalty} from "../../src/libraries/Royalty.sol";

contract KnowledgeRoyaltyEnforcerTest is EnforcerTest {
    KnowledgeRoyaltyEnforcer private enforcer = new KnowledgeRoyaltyEnforcer(vitals, policyCage, manager);

    function _enforcer() internal view override returns (ICaveatEnforcer) {
        return ICaveatEnforcer(address(enforcer));
    }

    function _goodTerms() internal view override returns (bytes memory) {
        return _royalty(author, 1_000);
    }

    function _royalty(address author_, uint256 bps) private view returns (bytes memory) {
        return abi.encodePacked(author_, uint16(bps), _mandate());
    }

    function test_afterHook_share(uint96 price, uint96 paid, uint96 elsewhere, uint16 bps) public {
        bps = uint16(bound(bps, 0, 10_000));
        bytes memory terms = _royalty(author, bps);
        bytes memory execution = _batch(
            _saleCall(), _transferCall(address(usdc), author, paid), _transferCall(address(usdc), payee, elsewhere)
        );
        _before(terms, BATCH, execution);
        usdc.mint(account, price);
        if (uint256(paid) + elsewhere > usdc.balanceOf(account)) return;
        usdc.burn(account, uint256(paid) + elsewhere);
        uint256 due = (uint256(price) * bps + 9_999) / 10_000;
        if (paid >= due) _after(terms, BATCH, execution);
        else _afterRefuses(terms, BATCH, execution, _unpaid(address(usdc), price, paid, due));
    }

    function test_afterHook_revert_onePaidTooLittle() public {
        bytes memory execution = _batch(_saleCall(), _transferCall(address(usdc), author, 10e6 - 1));
        _before(_goodTerms(), BATCH, execution);
        usdc.mint(account, 100e6 - (10e6 - 1));
        bytes memory reason = _unpaid(address(usdc), 100e6, 10e6 - 1, 10e6);
        _afterRefuses(_goodTerms(), BATCH, execution, reason);
    }

    function test_afterHook_revert_nothingPaid() public {
        bytes memory execution = _single(_saleCall());
        _before(_goodTerms(), SINGLE, execution);
        usdc.mint(account, 1);
        _afterRefuses(_goodTerms(), SINGLE, execution, _unpaid(address(usdc), 1, 0, 1));
    }

    /// @dev The proceeds leave again in the same execution: by balances, there was no sale.
    function test_afterHook_revert_spentAtOnce() public {
        bytes memory execution = _batch(_saleCall(), _paymentCall(100e6));
        _before(_goodTerms(), BATCH, execution);
        _afterRefuses(_goodTerms(), BATCH, execution, _unpaid(address(usdc), 100e6, 0, 10e6));
    }

    /// @dev Paid in one asset, owed in another.
    function test_afterHook_revert_paidInAnotherAsset() public {
        bytes memory execution = _batch(_saleCall(), _transferCall(address(usdc), author, 100e6));
        _before(_goodTerms(), BATCH, execution);
        usdc.burn(account, 100e6);
        weth.mint(account, 1e18);
        _afterRefuses(_goodTerms(), BATCH, execution, _unpaid(address(weth), 1e18, 0, 0.1e18));
    }

    /// @dev Approving the author, or paying another address with the author elsewhere in the data, pays nothing.
    function test_afterHook_revert_paidToSomebodyElse() public {
        bytes memory execution = _batch(_saleCall(), _paymentCall(10e6));
        _before(_goodTerms(), BATCH, execution);
        usdc.mint(account, 90e6);
        _afterRefuses(_goodTerms(), BATCH, execution, _unpaid(address(usdc), 100e6, 0, 10e6));
    }

    function test_afterHook_twoPaymentsAddUp() public {
        Call memory half = _transferCall(address(usdc), author, 5e6);
        bytes memory execution = _batch(half, _saleCall(), half);
        _before(_goodTerms(), BATCH, execution);
        usdc.mint(account, 90e6);
        _after(_goodTerms(), BATCH, execution);
    }

    function test_afterHook_native(uint64 price) public {
        uint256 due = (uint256(price) + 9) / 10;
        bytes memory execution = _batch(_saleCall(), Call(author, due, ""));
        if (due == 0) return;
        _before(_goodTerms(), BATCH, execution);
        vm.deal(account, account.balance + price - due);
        _after(_goodTerms(), BATCH, execution);
    }

    function test_afterHook_revert_nativeUnpaid() public {
        bytes memory execution = _batch(_saleCall(), Call(author, 1 ether - 1, ""));
        _before(_goodTerms(), BATCH, execution);
        vm.deal(account, account.balance + 9 ether + 1);
        _afterRefuses(_goodTerms(), BATCH, execution, _unpaid(address(0), 10 ether, 1 ether - 1, 1 ether));
    }

    /// @dev More went out than came in: then only the inflow is shared.
    function test_afterHook_lossMakingSale() public {
        bytes memory execution = _batch(_saleCall(), _transferCall(address(usdc), author, 1e6));
        _before(_goodTerms(), BATCH, execution);
        usdc.burn(account, 5e6);
        _after(_goodTerms(), BATCH, execution);
    }

    function test_afterHook_otherClassesPass() public {
        bytes memory terms = _royalty(author, 10_000);
        _redeem(terms, SINGLE, _payment(10e6));
        bytes memory execution = _single(_withdrawCall(5e6));
        _before(terms, SINGLE, execution);
        usdc.mint(account, 5e6);
        _after(terms, SINGLE, execution);
    }

    function test_afterHook_revert_strangerClosesNothing() public {
        bytes memory execution = _single(_saleCall());
        _before(_goodTerms(), SINGLE, execution);
        bytes memory terms = _goodTerms();
        vm.prank(stranger);
        vm.expectRevert(abi.encodeWithSelector(ManagedEnforcer.NotDelegationManager.selector, stranger));
        enforcer.afterHook(terms, "", SINGLE, execution, HASH, account, redeemer);
        usdc.mint(account, 1);
        _afterRefuses(terms, SINGLE, execution, _unpaid(address(usdc), 1, 0, 1));
    }

    function test_afterHook_secondSaleStartsAnew() public {
        bytes memory execution = _batch(_saleCall(), _transferCall(address(usdc), author, 10e6));
        for (uint256 i; i < 2; ++i) {
            _before(_goodTerms(), BATCH, execution);
            usdc.mint(account, 90e6);
            _after(_goodTerms(), BATCH, execution);
        }
    }

    function test_beforeHook_revert_busy() public {
        bytes memory execution = _single(_saleCall());
        _before(_goodTerms(), SINGLE, execution);
        bytes32 key = keccak256(abi.encode(account, HASH));
        _refuses(_goodTerms(), execution, abi.encodeWithSelector(KnowledgeRoyaltyEnforcer.SaleBusy.selector, key));
    }

    /// @dev Any nested execution, not only another sale, would close the frame before the royalty is paid.
    function test_beforeHook_revert_paymentInsideASale() public {
        bytes memory sale = _single(_saleCall());
        _before(_goodTerms(), SINGLE, sale);
        bytes32 key = keccak256(abi.encode(account, HASH));
        _refuses(_goodTerms(), _payment(1), abi.encodeWithSelector(KnowledgeRoyaltyEnforcer.SaleBusy.selector, key));
    }

    function test_beforeHook_delegationsAreIndependent() public {
        bytes memory execution = _single(_saleCall());
        _before(_goodTerms(), SINGLE, execution);
        bytes memory terms = _goodTerms();
        vm.prank(manager);
        enforcer.beforeHook(terms, "", SINGLE, execution, keccak256("another"), account, redeemer);
    }

    function test_beforeHook_revert_authorNotAPayee() public {
        bytes memory execution = _batch(_saleCall(), _transferCall(address(usdc), stranger, 10e6));
        bytes memory reason = abi.encodeWithSelector(Actions.PayeeNotAllowed.selector, stranger);
        _refuses(_royalty(stranger, 1_000), "", BATCH, execution, reason);
    }

    function test_beforeHook_revert_noAuthor() public {
        bytes memory reason = abi.encodeWithSelector(CaveatEnforcer.TermsUnknown.selector, 0);
        _refuses(_royalty(address(0), 1_000), _payment(10e6), reason);
    }

    function test_beforeHook_revert_moreThanAll(uint16 bps) public {
        bps = uint16(bound(bps, 10_001, type(uint16).max));
        bytes memory reason = abi.encodeWithSelector(CaveatEnforcer.TermsUnknown.selector, bps);
        _refuses(_royalty(author, bps), _payment(10e6), reason);
    }

    function _unpaid(address token, uint256 gross, uint256 paid, uint256 due) private pure returns (bytes memory) {
        return abi.encodeWithSelector(Royalty.RoyaltyUnpaid.selector, token, gross, paid, due);
    }
}
