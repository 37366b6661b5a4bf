// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {MandateEnforcer} from "./MandateEnforcer.sol";
import {MeteredEnforcer} from "./MeteredEnforcer.sol";
import {Actions} from "../libraries/Actions.sol";
import {Allowance} from "../libraries/Allowance.sol";
import {Lifetime} from "../libraries/Lifetime.sol";

/// @title What a Replicant may spend in its whole life, and how long that is
/// @dev | bytes | field    |                                            |
///      | ----- | -------- | ------------------------------------------ |
///      | 32    | lineage  | whose spending counts together             |
///      | 5     | cents    | most that may ever leave                   |
///      | 5     | born     | Unix seconds, inclusive                    |
///      | 4     | lifespan | seconds; the last one is inclusive         |
///      | …     | mandate  | see `Mandate`                              |
contract ReplicantBudgetEnforcer is MeteredEnforcer, MandateEnforcer {
    uint256 private constant HEAD = 46;

    /// @notice Per lineage: cents that ever left.
    mapping(bytes32 key => uint256) public spent;

    /// @notice What a lineage has spent in its life, in cents.
    function spentCents(address manager, address delegator, bytes32 lineage) external view returns (uint256) {
        return spent[lineageKey(manager, delegator, lineage)];
    }

    function beforeHook(
        bytes calldata terms,
        bytes calldata,
        bytes32 mode,
        bytes calldata execution,
        bytes32,
        address delegator,
        address
    ) external override {
        _before(terms, mode, execution, delegator);
    }

    function afterHook(
        bytes calldata terms,
        bytes calldata,
        bytes32,
        bytes calldata,
        bytes32,
        address delegator,
        address
    ) external override {
        _after(terms, lineageKey(msg.sender, delegator, bytes32(terms[:32])));
    }

    function _before(bytes calldata terms, bytes32 mode, bytes calldata execution, address delegator) private {
        bytes calldata mandate = _mandate(terms, HEAD);
        uint256 born = uint40(bytes5(terms[37:42]));
        Lifetime.requireWithin(born, born + uint32(bytes4(terms[42:46])));
        bytes32 key = lineageKey(msg.sender, delegator, bytes32(terms[:32]));
        _open(key, Actions.plan(mode, execution, mandate, NO_SETTLEMENT, address(0)), mandate, 0);
    }

    function _after(bytes calldata terms, bytes32 key) private {
        uint256 cents = _cents(_close(key, _mandate(terms, HEAD)).outMicros);
        if (cents != 0) spent[key] = Allowance.spend(spent[key], cents, uint40(bytes5(terms[32:37])));
    }
}
