// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {MandateEnforcer} from "./MandateEnforcer.sol";
import {MeteredEnforcer} from "./MeteredEnforcer.sol";
import {IPolicyCage} from "../interfaces/IPolicyCage.sol";
import {IVitals} from "../interfaces/IVitals.sol";
import {Lineage} from "../libraries/Lineage.sol";
import {VaultNav} from "../libraries/VaultNav.sol";
import {Math} from "@openzeppelin/contracts/utils/math/Math.sol";

/// @title No execution takes more than a share of what a vault holds
/// @notice And never more than an absolute cap, since a flash deposit makes any vault look rich.
/// @dev | bytes | field   |                                                  |
///      | ----- | ------- | ------------------------------------------------ |
///      | 20    | vault   | an ERC-4626 vault whose asset the mandate tracks |
///      | 2     | bps     | share of its `totalAssets`, at most 10000        |
///      | 5     | cap     | cents                                            |
///      | …     | mandate | see `Mandate`                                    |
contract VaultNAVEnforcer is MeteredEnforcer {
    uint256 private constant HEAD = 27;

    constructor(IVitals vitals_, IPolicyCage policyCage_) MandateEnforcer(vitals_, policyCage_) {}

    function beforeHook(
        bytes calldata terms,
        bytes calldata,
        bytes32 mode,
        bytes calldata execution,
        bytes32 delegationHash,
        address delegator,
        address
    ) external {
        _before(terms, mode, execution, Lineage.key(msg.sender, delegator, delegationHash));
    }

    function afterHook(
        bytes calldata terms,
        bytes calldata,
        bytes32,
        bytes calldata,
        bytes32 delegationHash,
        address delegator,
        address
    ) external {
        Flows memory flows = _close(Lineage.key(msg.sender, delegator, delegationHash), _mandate(terms, HEAD));
        VaultNav.requireWithin(flows.outMicros, Math.min(flows.note, _limit(terms)));
    }

    function _before(bytes calldata terms, bytes32 mode, bytes calldata execution, bytes32 key) private {
        bytes calldata mandate = _mandate(terms, HEAD);
        _requireBps(uint16(bytes2(terms[20:22])));
        _open(key, _planToOpen(mode, execution, mandate, NO_SETTLEMENT), mandate, 0, _limit(terms));
    }

    function _limit(bytes calldata terms) private view returns (uint256) {
        return VaultNav.limitMicros(
            terms[HEAD:], address(bytes20(terms[:20])), uint16(bytes2(terms[20:22])), uint40(bytes5(terms[22:27]))
        );
    }
}
