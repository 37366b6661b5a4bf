// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {MandateEnforcer} from "./MandateEnforcer.sol";
import {IPolicyCage} from "../interfaces/IPolicyCage.sol";
import {IVitals} from "../interfaces/IVitals.sol";
import {ActionClass} from "../libraries/ActionClass.sol";
import {Vitality} from "../libraries/Vitality.sol";

/// @title Restricted actions require a signed emotional state
/// @notice A Golem outside that state may use only the classes that the owner did not restrict.
/// @dev | bytes | field      |                                                               |
///      | ----- | ---------- | ------------------------------------------------------------- |
///      | 32    | golem      | the Golem's id: its row in the vitals                         |
///      | 1     | pleasure   | the least, int8                                               |
///      | 1     | arousal    | the most, int8                                                |
///      | 1     | dominance  | the least, int8                                               |
///      | 2     | restricted | classes that need that mood, bits of `ActionClass`; not none  |
///      | 1     | settlement | index of the asset to unwind into; 255 for none               |
///      | …     | mandate    | see `Mandate`                                                 |
contract EmotionalStateEnforcer is MandateEnforcer {
    using Vitality for uint256;

    uint256 private constant HEAD = 38;

    constructor(IVitals vitals_, IPolicyCage policyCage_, address delegationManager_)
        MandateEnforcer(vitals_, policyCage_, delegationManager_)
    {}

    function beforeHook(
        bytes calldata terms,
        bytes calldata,
        bytes32 mode,
        bytes calldata execution,
        bytes32,
        address,
        address
    ) external view {
        _requireManager();
        bool restricted = _isRestricted(terms, mode, execution);
        uint256 signs = Vitality.requireAlive(vitals, bytes32(terms[:32]));
        if (restricted) signs.requireMood(int8(uint8(terms[32])), int8(uint8(terms[33])), int8(uint8(terms[34])));
    }

    function _isRestricted(bytes calldata terms, bytes32 mode, bytes calldata execution) private view returns (bool) {
        bytes calldata mandate = _mandate(terms, HEAD);
        uint256 restricted = uint16(bytes2(terms[35:37]));
        // Terms that restrict nothing are a mistake, and so are classes that do not exist.
        if (restricted == 0 || restricted & ~ActionClass.ALL != 0) revert TermsUnknown(restricted);
        uint256 settlement = uint8(terms[37]);
        _requireSettlement(mandate, settlement);
        return _plan(mode, execution, mandate, settlement).classes() & restricted != 0;
    }
}
