// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {ERC1967Proxy} from "@openzeppelin/contracts/proxy/ERC1967/ERC1967Proxy.sol";
import {Test} from "forge-std/Test.sol";
import {IVitalityOracle} from "../../src/interfaces/IVitals.sol";
import {VitalSigns} from "../../src/libraries/VitalSigns.sol";
import {GolemVitals} from "../../src/oracles/GolemVitals.sol";

interface IHybridAccount {
    function initialize(address owner, string[] calldata keyIds, uint256[] calldata xs, uint256[] calldata ys) external;
}

/// @title A Golem in the vitals, its owner and a thief
abstract contract GolemVitalsWorld is Test {
    using VitalSigns for uint256;

    GolemVitals internal vitals;

    uint256 internal ownerKey = uint256(keccak256("owner"));
    uint256 internal golemKey = uint256(keccak256("golem"));
    uint256 internal thiefKey = uint256(keccak256("thief"));
    address internal owner = vm.addr(ownerKey);
    address internal writer = vm.addr(golemKey);
    address internal thief = vm.addr(thiefKey);
    bytes32 internal constant SALT = "salt";
    bytes32 internal golem;

    function setUp() public {
        vm.warp(1_800_000_000);
        vitals = new GolemVitals();
        golem = vitals.register(owner, writer, SALT, _registration(golemKey, owner, writer, SALT));
    }

    // ---- what the tests sign with

    function _registration(uint256 key, address owner_, address key_, bytes32 salt)
        internal
        view
        returns (bytes memory)
    {
        bytes32 typeHash = keccak256("RegisterGolem(address owner,address key,bytes32 salt)");
        return _sign(key, keccak256(abi.encode(typeHash, owner_, key_, salt)));
    }

    function _deregistration(uint256 key, bytes32 id, uint256 deadline) internal view returns (bytes memory) {
        bytes32 typeHash = keccak256("DeregisterGolem(bytes32 golem,uint256 deadline)");
        return _sign(key, keccak256(abi.encode(typeHash, id, deadline)));
    }

    function _resetSignature(uint256 key, bytes32 id, uint8 phase, uint256 nonce, uint256 deadline)
        internal
        view
        returns (bytes memory)
    {
        bytes32 typeHash = keccak256("ResetPhase(bytes32 golem,uint8 phase,uint256 nonce,uint256 deadline)");
        return _sign(key, keccak256(abi.encode(typeHash, id, phase, nonce, deadline)));
    }

    function _writerSignature(uint256 key, bytes32 id, address newWriter, uint256 nonce, uint256 deadline)
        internal
        view
        returns (bytes memory)
    {
        bytes32 typeHash = keccak256("ResetWriter(bytes32 golem,address writer,uint256 nonce,uint256 deadline)");
        return _sign(key, keccak256(abi.encode(typeHash, id, newWriter, nonce, deadline)));
    }

    function _sign(uint256 key, bytes32 structHash) internal view returns (bytes memory) {
        bytes32 domain = keccak256(
            abi.encode(
                keccak256("EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)"),
                keccak256("GolemVitals"),
                keccak256("1"),
                block.chainid,
                address(vitals)
            )
        );
        (uint8 v, bytes32 r, bytes32 s) = vm.sign(key, keccak256(abi.encodePacked("\x19\x01", domain, structHash)));
        return abi.encodePacked(r, s, v);
    }

    function _reset(uint8 phase, uint256 nonce) internal {
        bytes memory signature = _resetSignature(ownerKey, golem, phase, nonce, block.timestamp);
        vitals.resetPhase(owner, writer, SALT, phase, nonce, block.timestamp, signature);
    }

    /// MetaMask's own account contract, from its own bytecode.
    function _hybridAccount(address signer) internal returns (address) {
        address implementation =
            deployCode("out/protocols/HybridDeleGator.json", abi.encode(makeAddr("manager"), makeAddr("entryPoint")));
        bytes memory initialize =
            abi.encodeCall(IHybridAccount.initialize, (signer, new string[](0), new uint256[](0), new uint256[](0)));
        return address(new ERC1967Proxy(implementation, initialize));
    }

    // ---- what the tests expect

    function _expect(bytes memory revertData) internal {
        vm.expectRevert(revertData);
    }

    function _assertMood(bytes32 id, int8 pleasure, int8 arousal, int8 dominance) internal view {
        (int8 p, int8 a, int8 d) = vitals.getPAD(id);
        assertEq(p, pleasure);
        assertEq(a, arousal);
        assertEq(d, dominance);
    }

    function _expectDead() internal {
        assertFalse(vitals.vitalsOf(golem).isAlive());
        assertFalse(vitals.vitalsOf(golem).isDreaming());
        (bool registered,) = vitals.getPhase(golem);
        assertFalse(registered);
        bytes memory notFound = abi.encodeWithSelector(IVitalityOracle.GolemNotFound.selector, golem);
        vm.startPrank(writer);
        _expect(notFound);
        vitals.heartbeat(golem);
        _expect(notFound);
        vitals.publish(golem, 4, 0, false, 0, 0, 0);
        _expect(notFound);
        vitals.handOver(golem, writer);
        _expect(notFound);
        vitals.deregister(golem);
        vm.stopPrank();
    }

    function _word(bytes memory data, uint256 at) internal pure returns (uint256 word) {
        for (uint256 i; i < 32; i++) {
            word = (word << 8) | uint8(data[at + i]);
        }
    }
}
