// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {CageWorld} from "../CageWorld.sol";
import {Delegation} from "../Framework.sol";
import {MeteredEnforcer} from "../../src/enforcers/MeteredEnforcer.sol";
import {CageTerms} from "../../src/libraries/CageTerms.sol";
import {Mandate} from "../../src/libraries/Mandate.sol";
import {Royalty} from "../../src/libraries/Royalty.sol";
import {Usdc} from "../../devnet/Usdc.sol";

/// @title A market that pays the requested amount
contract Market {
    Usdc private immutable usdc;

    constructor(Usdc usdc_) {
        usdc = usdc_;
    }

    function sell(uint256 price) external {
        usdc.transfer(msg.sender, price);
    }
}

/// @title The Cage's royalty section
contract CageRoyaltyTest is CageWorld {
    Market private market;

    function setUp() public override {
        super.setUp();
        market = new Market(usdc);
        usdc.mint(address(market), 1_000_000e6);
    }

    function test_sale_paysTheAuthor() public {
        _redeem(_delegated(), BATCH, _sale(100e6, 10e6));
        assertEq(usdc.balanceOf(payee), 10e6);
    }

    /// @dev The share is rounded up, and other calls of a batch do not reduce it.
    function test_sale_revert_aUnitTooLittle(uint256 price) public {
        price = bound(price, 11, 5_000e6);
        uint256 share = (price + 9) / 10;
        _redeem(_delegated(), BATCH, _sale(price, share));
        Delegation memory d = _delegated();
        vm.expectPartialRevert(Royalty.RoyaltyUnpaid.selector);
        _redeem(d, BATCH, _sale(price, share - 1));
    }

    function test_sale_revert_unpaid() public {
        Delegation memory d = _delegated();
        vm.expectPartialRevert(Royalty.RoyaltyUnpaid.selector);
        _redeem(d, SINGLE, _single(address(market), 0, abi.encodeCall(Market.sell, (100e6))));
    }

    function test_afterHook_revert_noTerms() public {
        vm.expectPartialRevert(MeteredEnforcer.NotOpened.selector);
        vm.prank(address(manager));
        cage.afterHook("", "", SINGLE, "", bytes32(0), account, session);
    }

    /// @dev A tenth for the author, who is a payee of the mandate.
    function _delegated() private view returns (Delegation memory) {
        Bounds memory b = _bounds();
        b.extras = uint16(CageTerms.ROYALTY);
        b.sections = abi.encodePacked(payee, uint16(1_000));
        b.mandate = abi.encodePacked(
            abi.encodePacked(account, uint8(1), uint8(1), uint8(1)),
            abi.encodePacked(usdc, address(0), uint24(0), uint8(14)),
            abi.encodePacked(Mandate.SALE, market, Market.sell.selector),
            payee
        );
        return _caged(b);
    }

    function _sale(uint256 price, uint256 share) private view returns (bytes memory) {
        return _batch(
            _call(address(market), abi.encodeCall(Market.sell, (price))), _call(address(usdc), _transfer(payee, share))
        );
    }
}
