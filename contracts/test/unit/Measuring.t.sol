// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {CageWorld} from "../CageWorld.sol";
import {Delegation} from "../Framework.sol";
import {IPolicyCage} from "../../src/interfaces/IPolicyCage.sol";
import {IPriceFeed} from "../../src/interfaces/IPriceFeed.sol";
import {CageTerms} from "../../src/libraries/CageTerms.sol";
import {StaticRead} from "../../src/libraries/StaticRead.sol";
import {IERC4626} from "@openzeppelin/contracts/interfaces/IERC4626.sol";
import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";

/// @title What is measured, priced and read, and what is not
contract MeasuringTest is CageWorld {
    /// @dev On Celo the native currency and its ERC-20 share one balance. Each of them alone is measured once.
    function test_celo_eitherAddressAlone() public {
        vm.chainId(42_220);
        address celo = 0x471EcE3750Da237f93B8E339c536989b8978a438;
        vm.mockCall(celo, abi.encodeCall(IERC20.balanceOf, (account)), abi.encode(1 ether));
        address[2] memory tokens = [address(0), celo];
        for (uint256 i; i < tokens.length; ++i) {
            Bounds memory b = _bounds();
            b.mandate = abi.encodePacked(
                abi.encodePacked(account, uint8(2), uint8(0), uint8(1)),
                abi.encodePacked(address(usdc), address(0), uint24(0), uint8(14)),
                abi.encodePacked(tokens[i], address(wethFeed), uint24(1 hours), uint8(26)),
                payee
            );
            _pay(_caged(b), 1e6);
        }
    }

    /// @dev A vault without a signed floor is not checked, whatever it reports about the account's shares.
    function test_floors_otherVaultIsNotAsked() public {
        Bounds memory b = _bounds();
        b.extras = uint16(CageTerms.FLOORS);
        b.sections = abi.encodePacked(uint8(1), address(this), uint128(1));
        vault.transfer(account, 100e6);
        vm.mockCall(
            address(vault), abi.encodeCall(IERC20.balanceOf, (account)), abi.encode(uint256(type(uint128).max) + 1)
        );
        bytes memory exit = abi.encodeCall(IERC4626.redeem, (100e6, account, account));
        _redeem(_caged(b), SINGLE, _single(address(vault), 0, exit));
    }

    /// @dev An asset that left completely had a value before.
    function test_constitution_revert_drawdownByAllOfAnAsset() public {
        Delegation memory d = _governed(_mandate());
        vm.expectPartialRevert(IPolicyCage.DrawdownExceeded.selector);
        _redeem(d, SINGLE, _single(address(weth), 0, _transfer(payee, 0.1 ether)));
    }

    /// @dev Half of the WETH is a small part of the whole, because USDC at par counts although it does not move.
    function test_constitution_countsWhatDoesNotMove() public {
        _redeem(_governed(_mandate()), SINGLE, _single(address(weth), 0, _transfer(payee, 0.05 ether)));
        assertEq(weth.balanceOf(payee), 0.05 ether);
    }

    /// @dev No feed, a feed that is too old, one that reverts with a price in its data, and one that returns zero.
    function test_constitution_unmovedWithoutAPriceCountsForNothing() public {
        uint256 now_ = vm.getBlockTimestamp();
        _passesUnmoved(address(0), 1 hours);
        wethFeed.set(3000e8, now_ - 1);
        _passesUnmoved(address(wethFeed), 0);
        wethFeed.set(0, now_);
        _passesUnmoved(address(wethFeed), 1 hours);
        bytes memory answer = abi.encode(1, 3000e8, now_, now_, 1);
        vm.mockCallRevert(address(wethFeed), abi.encodeCall(IPriceFeed.latestRoundData, ()), answer);
        _passesUnmoved(address(wethFeed), 1 hours);
    }

    /// @dev A vault that does not answer must not block closing positions, also with the separate enforcer.
    function test_nav_closingDoesNotAskTheVault() public {
        bytes memory terms = abi.encodePacked(address(vault), uint16(1_000), uint40(100_00), _mandate());
        Delegation memory d = _sign(_delegation(_deployReader("VaultNAVEnforcer"), terms), ownerKey);
        vault.transfer(account, 100e6);
        vm.mockCallRevert(address(vault), abi.encodeCall(IERC4626.totalAssets, ()), "");
        bytes memory exit = abi.encodeCall(IERC4626.redeem, (100e6, account, account));
        _redeem(d, SINGLE, _single(address(vault), 0, exit));
        vm.expectPartialRevert(StaticRead.NoAnswer.selector);
        _pay(d, 1e6);
    }

    /// @dev A payment in USDC, while the account holds WETH with this feed.
    function _passesUnmoved(address feed, uint24 maxAge) private {
        _pay(
            _governed(
                abi.encodePacked(
                    abi.encodePacked(account, uint8(2), uint8(0), uint8(1)),
                    abi.encodePacked(address(usdc), address(0), uint24(0), uint8(14)),
                    abi.encodePacked(address(weth), feed, maxAge, uint8(26)),
                    payee
                )
            ),
            1e6
        );
    }

    /// @dev 1,000 dollars in USDC and 300 in WETH, and a constitution that allows a fifth less.
    function _governed(bytes memory mandate) private returns (Delegation memory) {
        deal(address(usdc), account, 1_000e6);
        deal(address(weth), account, 0.1 ether);
        IPolicyCage.AssetLimit[] memory assets = new IPolicyCage.AssetLimit[](2);
        bool usdcFirst = address(usdc) < address(weth);
        assets[usdcFirst ? 0 : 1] = IPolicyCage.AssetLimit(address(usdc), 10_000);
        assets[usdcFirst ? 1 : 0] = IPolicyCage.AssetLimit(address(weth), 10_000);
        IPolicyCage.Limits memory limits = IPolicyCage.Limits(500_00, 800_00, 1_000_00, 1 hours, 2_000);
        bytes32 hash = policyCage.enact(IPolicyCage.Constitution(assets, limits, bytes32(0)));
        Bounds memory b = _bounds();
        (b.extras, b.sections) = (uint16(CageTerms.CONSTITUTION), abi.encodePacked(hash));
        b.mandate = mandate;
        return _caged(b);
    }

    function _pay(Delegation memory d, uint256 amount) private {
        _redeem(d, SINGLE, _single(address(usdc), 0, _transfer(payee, amount)));
    }
}
