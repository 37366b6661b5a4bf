// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Attack} from "./Attack.sol";
import {Nester} from "./Hostile.sol";
import {Delegation, Execution} from "../Framework.sol";
import {Actions} from "../../src/libraries/Actions.sol";
import {CageTerms} from "../../src/libraries/CageTerms.sol";
import {Mandate} from "../../src/libraries/Mandate.sol";
import {RollingBudget} from "../../src/libraries/RollingBudget.sol";
import {Royalty} from "../../src/libraries/Royalty.sol";
import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";

/// @title Buys knowledge from any caller, and calls the buyer
contract Market {
    IERC20 private immutable token;
    Nester private buyer;

    constructor(IERC20 token_) {
        token = token_;
    }

    function setBuyer(Nester buyer_) external {
        buyer = buyer_;
    }

    function sell(uint256 price) external {
        token.transfer(msg.sender, price);
        if (address(buyer) != address(0)) buyer.wake();
    }
}

/// @title A sale owes the author a tenth, in the Cage
contract RoyaltiesTest is Attack {
    address private author = makeAddr("author");
    Market private market;
    Nester private buyer;

    function setUp() public override {
        super.setUp();
        market = new Market(usdc);
        usdc.mint(address(market), 100_000e6);
        buyer = new Nester(manager);
        _keep(d, _caged(_withRoyalty(GOLEM)));
    }

    function test_sale_authorGetsTheShare() public {
        _redeem(d, BATCH, _sale(300e6, address(usdc), author, 30e6));
        assertEq(usdc.balanceOf(author), 30e6);
        assertEq(usdc.balanceOf(account), 1_000_270e6);
        assertEq(_spentCents(account, GOLEM), 30_00);
    }

    function test_sale_revert_unpaid() public {
        vm.expectRevert(_unpaid(300e6, 0, 30e6));
        _redeem(d, SINGLE, _single(address(market), 0, abi.encodeCall(Market.sell, (300e6))));
    }

    function test_sale_revert_paidTooLittle() public {
        vm.expectRevert(_unpaid(300e6, 30e6 - 1, 30e6));
        _redeem(d, BATCH, _sale(300e6, address(usdc), author, 30e6 - 1));
    }

    /// @dev The share of a tiny sale is rounded up.
    function test_sale_revert_dustIsNotFree() public {
        vm.expectRevert(_unpaid(9, 0, 1));
        _redeem(d, SINGLE, _single(address(market), 0, abi.encodeCall(Market.sell, (9))));
    }

    function test_sale_revert_paidInAnotherAsset() public {
        vm.expectRevert(_unpaid(300e6, 0, 30e6));
        _redeem(d, BATCH, _sale(300e6, address(weth), author, 0.01 ether));
    }

    function test_sale_revert_paidToAStranger() public {
        vm.expectRevert(abi.encodeWithSelector(Actions.PayeeNotAllowed.selector, thief));
        _redeem(d, BATCH, _sale(300e6, address(usdc), thief, 30e6));
    }

    function test_sale_revert_paidToAnotherPayee() public {
        vm.expectRevert(_unpaid(300e6, 0, 30e6));
        _redeem(d, BATCH, _sale(300e6, address(usdc), payee, 30e6));
    }

    /// @dev Proceeds that are paid out at once still count as proceeds.
    function test_sale_revert_proceedsPassedOnFirst() public {
        Execution[] memory list = new Execution[](3);
        list[0] = _call(address(market), abi.encodeCall(Market.sell, (300e6)));
        list[1] = _call(address(usdc), _transfer(payee, 250e6));
        list[2] = _call(address(usdc), _transfer(author, 5e6));
        vm.expectRevert(_unpaid(300e6, 5e6, 30e6));
        _redeem(d, BATCH, abi.encode(list));
    }

    function test_sale_revert_twoSalesOneRoyalty() public {
        Execution[] memory list = new Execution[](3);
        list[0] = _call(address(market), abi.encodeCall(Market.sell, (300e6)));
        list[1] = _call(address(market), abi.encodeCall(Market.sell, (300e6)));
        list[2] = _call(address(usdc), _transfer(author, 30e6));
        vm.expectRevert(_unpaid(600e6, 30e6, 60e6));
        _redeem(d, BATCH, abi.encode(list));
    }

    /// @dev The royalty is an outflow: it counts towards the day.
    function test_sale_revert_royaltyBeyondTheDay() public {
        _pay(d, 990e6);
        vm.expectRevert(abi.encodeWithSelector(RollingBudget.SpendLimitExceeded.selector, 990_00, 30_00, 1_000_00));
        _redeem(d, BATCH, _sale(300e6, address(usdc), author, 30e6));
    }

    /// @dev The buyer pays out of the account during the sale, so that the inflow looks smaller.
    function test_sale_revert_nestedPaymentOfTheLineage() public {
        Delegation[] memory chain = _sub(_again(_withRoyalty(GOLEM), 2), address(buyer), address(0), "");
        market.setBuyer(buyer);
        buyer.load(chain, SINGLE, _single(address(usdc), 0, _transfer(payee, 290e6)), false);
        vm.expectPartialRevert(bytes4(keccak256("AccountBusy(address)")));
        _redeem(d, BATCH, _sale(300e6, address(usdc), author, 1e6));
    }

    // --- Parts

    function _sale(uint256 price, address token, address to, uint256 amount) private view returns (bytes memory) {
        return _batch(_call(address(market), abi.encodeCall(Market.sell, (price))), _call(token, _transfer(to, amount)));
    }

    function _unpaid(uint256 gross, uint256 paid, uint256 due) private view returns (bytes memory) {
        return abi.encodeWithSelector(Royalty.RoyaltyUnpaid.selector, address(usdc), gross, paid, due);
    }

    function _withRoyalty(bytes32 golem) private view returns (Bounds memory b) {
        b = _bounds();
        b.golem = golem;
        b.mandate = _mandateWith(Mandate.SALE, address(market), Market.sell.selector, author);
        b.extras = uint16(CageTerms.ROYALTY);
        b.sections = abi.encodePacked(author, uint16(1_000));
    }
}
