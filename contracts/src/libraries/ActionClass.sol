// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// @title The action classes, and which of them are allowed in each phase
/// @dev Classes are bits, so that one AND compares an execution's classes with a phase's permissions.
library ActionClass {
    /// @notice Thrown when a class of the execution is not allowed in this phase.
    error ClassNotAllowedInPhase(uint256 classes, uint256 phase);

    uint256 internal constant SWAP = 1 << 0;
    /// @dev A swap into the settlement asset.
    uint256 internal constant UNWIND = 1 << 1;
    uint256 internal constant ADD_LIQUIDITY = 1 << 2;
    uint256 internal constant DEPOSIT = 1 << 3;
    uint256 internal constant REMOVE_LIQUIDITY = 1 << 4;
    uint256 internal constant WITHDRAW = 1 << 5;
    uint256 internal constant PAYMENT = 1 << 6;
    uint256 internal constant SPAWN = 1 << 7;
    uint256 internal constant PUBLISH = 1 << 8;
    uint256 internal constant SALE = 1 << 9;
    /// @dev An approval that the same execution consumes; it accompanies the class that consumes it.
    uint256 internal constant APPROVE = 1 << 10;
    /// @dev Setting an approval to zero, which is always safe.
    uint256 internal constant DISAPPROVE = 1 << 11;

    /// @dev Native currency for the redeemer's own gas, within a cap that the owner signed.
    uint256 internal constant GAS = 1 << 12;

    uint256 internal constant ALL = (1 << 13) - 1;
    uint256 internal constant APPROVALS = APPROVE | DISAPPROVE;
    uint256 internal constant SWAPS = SWAP | UNWIND;
    /// @dev Closing a position to the owner's account.
    uint256 internal constant SETTLEMENT = REMOVE_LIQUIDITY | WITHDRAW | DISAPPROVE;

    uint256 private constant THRIVING = ALL;
    uint256 private constant STABLE = ALL & ~SPAWN;
    uint256 private constant CONSERVATION = SETTLEMENT | UNWIND | PAYMENT | PUBLISH | SALE | APPROVE | GAS;

    /// @notice The classes that are allowed in a phase. Approvals in the two late phases serve an unwinding swap only:
    ///         alone they would be left over, which is refused elsewhere.
    function allowedIn(uint256 phase) internal pure returns (uint256) {
        if (phase == 0) return THRIVING;
        if (phase == 1) return STABLE;
        return phase < 4 ? CONSERVATION : SETTLEMENT;
    }

    function requireAllowedIn(uint256 classes, uint256 phase) internal pure {
        if (classes & ~allowedIn(phase) != 0) revert ClassNotAllowedInPhase(classes, phase);
    }
}
