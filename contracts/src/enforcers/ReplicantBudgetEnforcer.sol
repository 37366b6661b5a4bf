// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {MandateEnforcer} from "./MandateEnforcer.sol";
import {MeteredEnforcer} from "./MeteredEnforcer.sol";
import {IPolicyCage} from "../interfaces/IPolicyCage.sol";
import {IVitals} from "../interfaces/IVitals.sol";
import {Allowance} from "../libraries/Allowance.sol";
import {Lifetime} from "../libraries/Lifetime.sol";
import {Lineage} from "../libraries/Lineage.sol";

/// @title Limits what a Replicant spends in its life, and its lifespan
/// @dev | bytes | field    |                                            |
///      | ----- | -------- | ------------------------------------------ |
///      | 32    | lineage  | whose spending counts together             |
///      | 5     | cents    | most that may ever leave                   |
///      | 5     | born     | Unix seconds, inclusive                    |
///      | 4     | lifespan | seconds; the last one is inclusive         |
///      | …     | mandate  | see `Mandate`                              |
contract ReplicantBudgetEnforcer is MeteredEnforcer {
    uint256 private constant HEAD = 46;

    /// @dev Per lineage: lifetime outflow in cents.
    mapping(bytes32 key => uint256) private _spent;

    constructor(IVitals vitals_, IPolicyCage policyCage_, address delegationManager_)
        MandateEnforcer(vitals_, policyCage_, delegationManager_)
    {}

    /// @notice A lineage's lifetime spending, in cents.
    function spentCents(address delegator, bytes32 lineage) external view returns (uint256) {
        return _spent[Lineage.key(delegator, lineage)];
    }

    function beforeHook(
        bytes calldata terms,
        bytes calldata,
        bytes32 mode,
        bytes calldata execution,
        bytes32,
        address delegator,
        address
    ) external {
        _requireManager();
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
    ) external {
        _after(terms, Lineage.key(delegator, bytes32(terms[:32])));
    }

    function _before(bytes calldata terms, bytes32 mode, bytes calldata execution, address delegator) private {
        bytes calldata mandate = _mandate(terms, HEAD);
        uint256 born = uint40(bytes5(terms[37:42]));
        Lifetime.requireWithin(born, born + uint32(bytes4(terms[42:46])));
        bytes32 key = Lineage.key(delegator, bytes32(terms[:32]));
        _open(key, _planToOpen(mode, execution, mandate, NO_SETTLEMENT), mandate, 0, 0);
    }

    function _after(bytes calldata terms, bytes32 key) private {
        uint256 cents = _cents(_close(key, _mandate(terms, HEAD)).outMicros);
        if (cents != 0) _spent[key] = Allowance.spend(_spent[key], cents, uint40(bytes5(terms[32:37])));
    }
}
