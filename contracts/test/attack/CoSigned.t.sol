// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Attack} from "./Attack.sol";
import {Delegation} from "../Framework.sol";
import {ICaveatEnforcer} from "../../src/interfaces/ICaveatEnforcer.sol";
import {ManagedEnforcer} from "../../src/enforcers/ManagedEnforcer.sol";
import {CageTerms} from "../../src/libraries/CageTerms.sol";
import {CoSigners} from "../../src/libraries/CoSigners.sol";

/// @title Two of three keys co-sign every execution; the thief has the session key and every used signature
abstract contract CoSigned is Attack {
    uint256[3] private keys;
    address[3] private signers;

    function setUp() public override {
        super.setUp();
        for (uint256 i; i < 3; ++i) {
            (signers[i], keys[i]) = makeAddrAndKey(string.concat("council ", vm.toString(i)));
        }
        for (uint256 i; i < 3; ++i) {
            for (uint256 j = i + 1; j < 3; ++j) {
                if (signers[i] < signers[j]) continue;
                (signers[i], signers[j], keys[i], keys[j]) = (signers[j], signers[i], keys[j], keys[i]);
            }
        }
        _keep(d, _guarded(1));
    }

    function _enforcer() internal virtual returns (address);

    function _guardTerms(bytes memory council) internal virtual returns (bytes memory);

    function test_coSigned_passesOnce() public {
        Delegation memory by = _with(7, _payment(100e6));
        _redeem(by, SINGLE, _payment(100e6));
        vm.expectRevert(_nonceUsed(7));
        _redeem(by, SINGLE, _payment(100e6));
        assertEq(usdc.balanceOf(payee), 100e6);
    }

    function test_coSigned_revert_none() public {
        Delegation memory by = d;
        vm.expectPartialRevert(bytes4(keccak256("DataMalformed(uint256,uint256)")));
        _redeem(by, SINGLE, _payment(1));
    }

    function test_coSigned_revert_otherExecution() public {
        Delegation memory by = _with(7, _payment(100e6));
        _refusedSignature(by, SINGLE, _payment(101e6));
    }

    function test_coSigned_revert_otherNonce() public {
        Delegation memory by = _with(7, _payment(100e6));
        bytes[] memory signatures = _signatures(7, d, SINGLE, _payment(100e6), block.chainid);
        by.caveats[0].args = abi.encode(8, 3, signatures);
        _refusedSignature(by, SINGLE, _payment(100e6));
    }

    function test_coSigned_revert_otherMode() public {
        bytes memory batch = abi.encode(new bytes[](0));
        Delegation memory by = _with(7, batch);
        _refusedSignature(by, BATCH, batch);
    }

    /// @dev The same limits signed again are another delegation, for which no co-signature exists.
    function test_coSigned_revert_otherDelegationOfTheLineage() public {
        Delegation memory second = _guarded(2);
        second.caveats[0].args = _with(7, _payment(100e6)).caveats[0].args;
        _refusedSignature(second, SINGLE, _payment(100e6));
    }

    function test_coSigned_revert_otherChain() public {
        bytes[] memory signatures = _signatures(7, d, SINGLE, _payment(100e6), block.chainid + 1);
        Delegation memory by = d;
        by.caveats[0].args = abi.encode(7, 3, signatures);
        _refusedSignature(by, SINGLE, _payment(100e6));
    }

    /// @dev Another contract of the same code, with the same keys in its terms.
    function test_coSigned_revert_otherEnforcer() public {
        bytes memory args = _with(7, _payment(100e6)).caveats[0].args;
        Delegation memory moved = d;
        moved.caveats[0].enforcer = _enforcer();
        moved = _sign(moved, ownerKey);
        moved.caveats[0].args = args;
        _refusedSignature(moved, SINGLE, _payment(100e6));
    }

    /// @dev The thief's own manager cannot use them up.
    function test_coSigned_foreignManagerUsesNothingUp() public {
        Delegation memory by = _with(7, _payment(100e6));
        bytes32 hash = manager.getDelegationHash(d);
        ICaveatEnforcer enforcer = ICaveatEnforcer(d.caveats[0].enforcer);
        vm.expectRevert(abi.encodeWithSelector(ManagedEnforcer.NotDelegationManager.selector, thief));
        vm.prank(thief);
        enforcer.beforeHook(by.caveats[0].terms, by.caveats[0].args, SINGLE, _payment(100e6), hash, account, session);
        _redeem(by, SINGLE, _payment(100e6));
        assertEq(usdc.balanceOf(payee), 100e6);
    }

    function test_coSigned_revert_twiceInOneCall() public {
        Delegation[] memory chain = new Delegation[](1);
        chain[0] = _with(7, _payment(100e6));
        bytes[] memory contexts = new bytes[](2);
        bytes[] memory executions = new bytes[](2);
        (contexts[0], contexts[1]) = (abi.encode(chain), abi.encode(chain));
        (executions[0], executions[1]) = (_payment(100e6), _payment(100e6));
        vm.expectRevert(_nonceUsed(7));
        vm.prank(session);
        manager.redeemDelegations(contexts, new bytes32[](2), executions);
    }

    function test_coSigned_revert_oneOfTwo() public {
        bytes[] memory both = _signatures(7, d, SINGLE, _payment(100e6), block.chainid);
        bytes[] memory one = new bytes[](1);
        one[0] = both[0];
        Delegation memory by = d;
        by.caveats[0].args = abi.encode(7, 1, one);
        vm.expectRevert(abi.encodeWithSelector(CoSigners.TooFewSigners.selector, 1, 2));
        _redeem(by, SINGLE, _payment(100e6));
        // The same signature for two of the keys.
        both[1] = both[0];
        by.caveats[0].args = abi.encode(7, 3, both);
        _refusedSignature(by, SINGLE, _payment(100e6));
    }

    // --- Parts

    function _guarded(uint256 salt) private returns (Delegation memory by) {
        address enforcer = salt == 1 ? _enforcer() : d.caveats[0].enforcer;
        by = _delegation(
            enforcer, _guardTerms(abi.encodePacked(uint8(2), uint8(3), signers[0], signers[1], signers[2]))
        );
        by.salt = salt;
        return _sign(by, ownerKey);
    }

    function _refusedSignature(Delegation memory by, bytes32 mode, bytes memory execution) private {
        vm.expectPartialRevert(CoSigners.SignatureInvalid.selector);
        _redeem(by, mode, execution);
    }

    function _nonceUsed(uint256 nonce) private view returns (bytes memory) {
        return abi.encodeWithSignature("NonceUsed(bytes32,uint256)", manager.getDelegationHash(d), nonce);
    }

    /// @dev The first two keys sign a single execution of `d`.
    function _with(uint256 nonce, bytes memory execution) private view returns (Delegation memory by) {
        by = d;
        by.caveats[0].args = abi.encode(nonce, 3, _signatures(nonce, d, SINGLE, execution, block.chainid));
    }

    function _signatures(uint256 nonce, Delegation memory by, bytes32 mode, bytes memory execution, uint256 chain)
        private
        view
        returns (bytes[] memory signatures)
    {
        bytes memory common =
            abi.encode(CoSigners.TYPEHASH, manager, manager.getDelegationHash(by), mode, keccak256(execution), nonce);
        bytes32 domain = _domain(by.caveats[0].enforcer, chain);
        signatures = new bytes[](2);
        for (uint256 i; i < 2; ++i) {
            signatures[i] = _signature(keys[i], domain, keccak256(bytes.concat(common, abi.encode(signers[i]))));
        }
    }

    function _signature(uint256 key, bytes32 domain, bytes32 message) private pure returns (bytes memory) {
        (uint8 v, bytes32 r, bytes32 s) = vm.sign(key, keccak256(abi.encodePacked("\x19\x01", domain, message)));
        return abi.encodePacked(r, s, v);
    }

    function _domain(address enforcer, uint256 chain) private pure returns (bytes32) {
        return keccak256(
            abi.encode(
                keccak256("EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)"),
                keccak256("Bardo Threshold"),
                keccak256("2"),
                chain,
                enforcer
            )
        );
    }

    function _payment(uint256 amount) private view returns (bytes memory) {
        return _single(address(usdc), 0, _transfer(payee, amount));
    }
}

/// @title Against the Cage's own section
contract CageCoSignedTest is CoSigned {
    function _enforcer() internal override returns (address) {
        _deployCage();
        return address(cage);
    }

    function _guardTerms(bytes memory council) internal view override returns (bytes memory) {
        Bounds memory b = _bounds();
        b.extras = uint16(CageTerms.THRESHOLD);
        b.sections = council;
        return _terms(b);
    }
}

/// @title Against the separate enforcer
contract ThresholdCoSignedTest is CoSigned {
    function _enforcer() internal override returns (address) {
        return _deployOurs("ThresholdEnforcer", abi.encode(manager));
    }

    function _guardTerms(bytes memory council) internal pure override returns (bytes memory) {
        return council;
    }
}
