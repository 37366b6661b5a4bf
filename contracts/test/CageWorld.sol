// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Delegation} from "./Framework.sol";
import {World} from "./World.sol";
import {CageEnforcer} from "../src/enforcers/CageEnforcer.sol";
import {IPolicyCage} from "../src/interfaces/IPolicyCage.sol";
import {IPriceFeed} from "../src/interfaces/IPriceFeed.sol";
import {IVitals} from "../src/interfaces/IVitals.sol";
import {ActionClass} from "../src/libraries/ActionClass.sol";
import {Mandate} from "../src/libraries/Mandate.sol";
import {Methods} from "../src/libraries/Methods.sol";
import {RollingBudget} from "../src/libraries/RollingBudget.sol";
import {VitalSigns} from "../src/libraries/VitalSigns.sol";

/// @title A feed whose answer a test sets
contract SettableFeed is IPriceFeed {
    uint8 public constant decimals = 8;
    int256 public answer;
    uint256 public updatedAt;

    constructor(int256 answer_) {
        set(answer_, block.timestamp);
    }

    function set(int256 answer_, uint256 updatedAt_) public {
        (answer, updatedAt) = (answer_, updatedAt_);
    }

    function latestRoundData() external view returns (uint80, int256, uint256, uint256, uint80) {
        return (1, answer, updatedAt, updatedAt, 1);
    }
}

/// @title A world with a caged session
abstract contract CageWorld is World {
    /// @dev The signed limits of a test; `_terms` packs them.
    struct Bounds {
        uint16 extras;
        bytes32 golem;
        uint40 start;
        uint40 end;
        uint16 classes;
        uint24 methods;
        uint64 pairs;
        uint32 grace;
        int8 minPleasure;
        int8 maxArousal;
        int8 minDominance;
        uint16 restricted;
        uint32 dayCents;
        uint16 slippage;
        uint16 spread;
        uint32 cadence;
        uint32 calls;
        uint24[5] sizes;
        uint8 settlement;
        bytes mandate;
        bytes sections;
    }

    CageEnforcer internal cage;
    address internal vitals = makeAddr("vitals");
    IPolicyCage internal policyCage;
    SettableFeed internal wethFeed;
    SettableFeed internal usdcFeed;
    bytes32 internal constant GOLEM = keccak256("golem");

    function setUp() public virtual override {
        super.setUp();
        policyCage = IPolicyCage(_deployOurs("PolicyCage", ""));
        _deployCage();
        wethFeed = new SettableFeed(3000e8);
        usdcFeed = new SettableFeed(1e8);
        _setVitals(VitalSigns.THRIVING, false, 0, 0, 0);
    }

    function _deployCage() internal {
        cage = CageEnforcer(payable(_deployReader("CageEnforcer")));
    }

    /// @dev An enforcer that decodes calls.
    function _deployReader(string memory name) internal returns (address) {
        return _deployOurs(name, abi.encode(vitals, policyCage, manager));
    }

    function _setVitals(uint8 phase, bool dreaming, int8 p, int8 a, int8 d) internal {
        uint8 flags = VitalSigns.ALIVE | (dreaming ? VitalSigns.DREAMING : 0);
        uint256 word = VitalSigns.pack(session, phase, 10_000, uint40(block.timestamp), p, a, d, flags);
        vm.mockCall(vitals, abi.encodeCall(IVitals.vitalsOf, (GOLEM)), abi.encode(word));
    }

    /// @dev Another registered Golem, alive and awake.
    function _grow(bytes32 golem) internal {
        uint256 word =
            VitalSigns.pack(session, VitalSigns.THRIVING, 10_000, uint40(block.timestamp), 0, 0, 0, VitalSigns.ALIVE);
        vm.mockCall(vitals, abi.encodeCall(IVitals.vitalsOf, (golem)), abi.encode(word));
    }

    function _bounds() internal view returns (Bounds memory b) {
        b.golem = GOLEM;
        b.start = uint40(block.timestamp - 1 days);
        b.end = uint40(block.timestamp + 30 days);
        b.classes = uint16(ActionClass.ALL);
        b.methods = uint24(Methods.ALL);
        b.pairs = type(uint64).max;
        b.minPleasure = -100;
        b.maxArousal = 100;
        b.minDominance = -100;
        b.dayCents = 1_000_00;
        b.slippage = 100;
        b.spread = 100;
        for (uint256 i; i < 5; ++i) {
            b.sizes[i] = 1_000;
        }
        b.settlement = 0;
        b.mandate = _mandate();
    }

    /// @dev USDC at par, WETH by feed; router, vault and positions; one payee.
    function _mandate() internal view returns (bytes memory) {
        bytes memory assets = abi.encodePacked(
            abi.encodePacked(address(usdc), address(0), uint24(0), uint8(14)),
            abi.encodePacked(address(weth), address(wethFeed), uint24(1 hours), uint8(26))
        );
        bytes memory targets = abi.encodePacked(
            abi.encodePacked(Mandate.SWAP_ROUTER_02, address(router), bytes4(0)),
            abi.encodePacked(Mandate.VAULT, address(vault), bytes4(0)),
            abi.encodePacked(Mandate.POSITION_MANAGER, address(positions), bytes4(0)),
            abi.encodePacked(Mandate.POOL, pool, bytes4(0))
        );
        return abi.encodePacked(account, uint8(2), uint8(4), uint8(1), assets, targets, payee);
    }

    function _terms(Bounds memory b) internal pure returns (bytes memory) {
        bytes memory head = abi.encodePacked(uint8(2), b.extras, b.golem, b.start, b.end);
        head = abi.encodePacked(head, b.classes, b.methods, b.pairs, b.grace);
        head = abi.encodePacked(head, b.minPleasure, b.maxArousal, b.minDominance, b.restricted);
        head = abi.encodePacked(head, b.dayCents, b.slippage, b.spread, b.cadence, b.calls);
        for (uint256 i; i < 5; ++i) {
            head = abi.encodePacked(head, b.sizes[i]);
        }
        return abi.encodePacked(head, b.settlement, b.mandate, b.sections);
    }

    /// @dev A lineage's spending that still counts.
    function _spentCents(address delegator, bytes32 golem) internal view returns (uint256) {
        return RollingBudget.spentNow(cage.lineageState(delegator, golem, 0, 0).budget);
    }

    function _caged(Bounds memory b) internal view returns (Delegation memory) {
        return _sign(_delegation(address(cage), _terms(b)), ownerKey);
    }
}
