// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Attack} from "./Attack.sol";
import {Delegation} from "../Framework.sol";
import {GolemVitals} from "../../src/oracles/GolemVitals.sol";

/// @title A session whose Golem has a row in the real vitals, written by the session key
abstract contract LivingGolem is Attack {
    bytes32 internal constant SALT = "salt";
    bytes32 private constant REGISTER = keccak256("RegisterGolem(address owner,address key,bytes32 salt)");
    bytes32 private constant RESET = keccak256("ResetPhase(bytes32 golem,uint8 phase,uint256 nonce,uint256 deadline)");

    GolemVitals internal live;
    bytes32 internal golem;

    function setUp() public virtual override {
        super.setUp();
        live = GolemVitals(_deployOurs("GolemVitals", ""));
        vitals = address(live);
        _deployCage();
        golem = live.register(owner, session, SALT, _registration(sessionKey, owner, session, SALT));
        _keep(d, _caged(_lifeBounds()));
    }

    function _lifeBounds() internal view returns (Bounds memory b) {
        b = _bounds();
        b.golem = golem;
    }

    function _registration(uint256 key, address owner_, address golemKey, bytes32 salt)
        internal
        view
        returns (bytes memory)
    {
        return _typed(key, address(live), block.chainid, keccak256(abi.encode(REGISTER, owner_, golemKey, salt)));
    }

    function _resetSignature(uint256 key, uint8 phase, uint256 nonce, uint256 deadline)
        internal
        view
        returns (bytes memory)
    {
        return _resetSignatureFor(address(live), block.chainid, key, phase, nonce, deadline);
    }

    function _resetSignatureFor(address where, uint256 chain, uint256 key, uint8 phase, uint256 nonce, uint256 deadline)
        internal
        view
        returns (bytes memory)
    {
        return _typed(key, where, chain, keccak256(abi.encode(RESET, golem, phase, nonce, deadline)));
    }

    function _typed(uint256 key, address where, uint256 chain, bytes32 structHash) private pure returns (bytes memory) {
        bytes32 domain = keccak256(
            abi.encode(
                keccak256("EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)"),
                keccak256("GolemVitals"),
                keccak256("1"),
                chain,
                where
            )
        );
        (uint8 v, bytes32 r, bytes32 s) = vm.sign(key, keccak256(abi.encodePacked("\x19\x01", domain, structHash)));
        return abi.encodePacked(r, s, v);
    }
}
