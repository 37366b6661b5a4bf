// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IERC721Errors} from "@openzeppelin/contracts/interfaces/draft-IERC6093.sol";
import {Test} from "forge-std/Test.sol";
import {IdentityGuardian} from "../../src/identity/IdentityGuardian.sol";
import {IdentityRegistry} from "../../src/identity/IdentityRegistry.sol";
import {IIdentityRegistry} from "../../src/interfaces/IIdentityRegistry.sol";

/// Deposits a token again while it receives it.
contract Boomerang {
    address private immutable _guardian;

    constructor(address guardian) {
        _guardian = guardian;
    }

    function onERC721Received(address, address from, uint256 agentId, bytes calldata) external returns (bytes4) {
        if (from == _guardian) IIdentityRegistry(msg.sender).safeTransferFrom(address(this), _guardian, agentId);
        return this.onERC721Received.selector;
    }
}

contract IdentityGuardianTest is Test {
    uint32 private constant DELAY = 3 days;

    IdentityRegistry private registry;
    IdentityGuardian private vault;
    uint256 private agent;

    address private owner = makeAddr("owner");
    address private guardian = makeAddr("guardian");
    address private thief = makeAddr("thief");
    address private heir = makeAddr("heir");

    function setUp() public {
        vm.warp(1_800_000_000);
        registry = new IdentityRegistry();
        vault = new IdentityGuardian(registry, DELAY);
        vm.startPrank(makeAddr("somebody"));
        registry.register();
        vm.stopPrank();
        vm.startPrank(owner);
        agent = registry.register("ipfs://golem");
        registry.safeTransferFrom(owner, address(vault), agent, abi.encode(guardian));
        vm.stopPrank();
    }

    // ---- deposit

    function test_deposit_recordsOwnerAndGuardian() public view {
        assertEq(registry.ownerOf(agent), address(vault));
        IdentityGuardian.Deposit memory deposit = vault.depositOf(agent);
        assertEq(deposit.owner, owner);
        assertEq(deposit.guardian, guardian);
        assertEq(deposit.to, address(0));
        assertEq(deposit.readyAt, 0);
        assertEq(address(vault.registry()), address(registry));
        assertEq(vault.delay(), DELAY);
    }

    function test_deposit_withoutAGuardian() public {
        vm.startPrank(heir);
        uint256 id = registry.register();
        vm.expectEmit(address(vault));
        emit IdentityGuardian.Deposited(id, heir, address(0));
        registry.safeTransferFrom(heir, address(vault), id);
        assertEq(vault.depositOf(id).owner, heir);
        assertEq(vault.depositOf(id).guardian, address(0));
    }

    /// An operator would name itself guardian and keep the token here permanently.
    function test_deposit_revert_byAnOperator() public {
        vm.prank(heir);
        uint256 id = registry.register();
        vm.prank(heir);
        registry.setApprovalForAll(thief, true);
        vm.expectRevert(abi.encodeWithSelector(IdentityGuardian.DepositNotByOwner.selector, thief, heir));
        vm.prank(thief);
        registry.safeTransferFrom(heir, address(vault), id, abi.encode(thief));
    }

    function test_deposit_revert_fromAnotherRegistry() public {
        IdentityRegistry other = new IdentityRegistry();
        vm.startPrank(thief);
        other.register();
        uint256 id = other.register();
        assertEq(id, agent);
        vm.expectRevert(abi.encodeWithSelector(IdentityGuardian.NotTheRegistry.selector, address(other)));
        other.safeTransferFrom(thief, address(vault), id);
    }

    /// A contract that pretends to be the registry cannot overwrite a deposit.
    function test_deposit_revert_calledByAThief() public {
        vm.expectRevert(abi.encodeWithSelector(IdentityGuardian.NotTheRegistry.selector, thief));
        vm.prank(thief);
        vault.onERC721Received(thief, thief, agent, "");
    }

    function test_deposit_revert_badData(bytes calldata data) public {
        vm.assume(data.length != 0 && data.length != 32);
        vm.startPrank(heir);
        uint256 id = registry.register();
        vm.expectRevert(abi.encodeWithSelector(IdentityGuardian.BadDepositData.selector, data.length));
        registry.safeTransferFrom(heir, address(vault), id, data);
    }

    function test_constructor_revert_noDelay() public {
        vm.expectRevert(IdentityGuardian.DelayIsZero.selector);
        new IdentityGuardian(registry, 0);
    }

    // ---- transferWithDelay

    function test_transferWithDelay_arrivesAfterTheDelay(uint32 later) public {
        uint256 readyAt = block.timestamp + DELAY;
        vm.expectEmit(address(vault));
        emit IdentityGuardian.TransferAnnounced(agent, owner, heir, readyAt);
        vm.prank(owner);
        vault.transferWithDelay(agent, heir);
        assertEq(vault.depositOf(agent).to, heir);
        assertEq(vault.depositOf(agent).readyAt, readyAt);
        assertEq(registry.ownerOf(agent), address(vault));

        vm.warp(readyAt + later);
        vm.expectEmit(address(vault));
        emit IdentityGuardian.TransferExecuted(agent, owner, heir);
        vm.prank(makeAddr("anyone"));
        vault.execute(agent);
        assertEq(registry.ownerOf(agent), heir);
        assertEq(vault.depositOf(agent).owner, address(0));
    }

    function test_transferWithDelay_toOneselfTakesAsLong() public {
        vm.startPrank(owner);
        vault.transferWithDelay(agent, owner);
        _expectTooEarly(DELAY - 1);
        skip(1);
        vault.execute(agent);
        assertEq(registry.ownerOf(agent), owner);
    }

    function test_transferWithDelay_revert_notTheDepositor(address caller) public {
        vm.assume(caller != owner);
        vm.expectRevert(abi.encodeWithSelector(IdentityGuardian.NotDepositor.selector, agent, caller));
        vm.prank(caller);
        vault.transferWithDelay(agent, caller);
    }

    /// The guardian can cancel and nothing else.
    function test_guardian_canOnlyCancel() public {
        bytes memory refused = abi.encodeWithSelector(IdentityGuardian.NotDepositor.selector, agent, guardian);
        vm.startPrank(guardian);
        vm.expectRevert(refused);
        vault.transferWithDelay(agent, guardian);
        vm.expectRevert(refused);
        vault.setAgentURI(agent, "");
        vm.expectRevert(refused);
        vault.setMetadata(agent, "key", "");
        vm.expectRevert(refused);
        vault.setAgentWallet(agent, guardian, block.timestamp, "");
        vm.expectRevert(refused);
        vault.unsetAgentWallet(agent);
        vm.expectRevert(abi.encodeWithSelector(IERC721Errors.ERC721InsufficientApproval.selector, guardian, agent));
        registry.transferFrom(address(vault), guardian, agent);
    }

    function test_transferWithDelay_revert_notDeposited(uint256 id) public {
        vm.assume(id != agent);
        vm.startPrank(owner);
        vm.expectRevert(abi.encodeWithSelector(IdentityGuardian.NotDepositor.selector, id, owner));
        vault.transferWithDelay(id, owner);
        vm.expectRevert(abi.encodeWithSelector(IdentityGuardian.NotDepositorOrGuardian.selector, id, owner));
        vault.cancel(id);
        vm.expectRevert(abi.encodeWithSelector(IdentityGuardian.NoTransferPending.selector, id));
        vault.execute(id);
    }

    /// A replaced recipient would profit from the time that the first one waited.
    function test_transferWithDelay_revert_replacesAPendingOne() public {
        vm.startPrank(owner);
        vault.transferWithDelay(agent, heir);
        uint256 readyAt = block.timestamp + DELAY;
        skip(DELAY);
        vm.expectRevert(abi.encodeWithSelector(IdentityGuardian.TransferPending.selector, agent, heir, readyAt));
        vault.transferWithDelay(agent, thief);
    }

    function test_transferWithDelay_startsAnewAfterACancel() public {
        vm.startPrank(owner);
        vault.transferWithDelay(agent, heir);
        skip(DELAY);
        vault.cancel(agent);
        vault.transferWithDelay(agent, thief);
        _expectTooEarly(DELAY - 1);
    }

    function test_transferWithDelay_revert_nowhere() public {
        vm.startPrank(owner);
        vm.expectRevert(abi.encodeWithSelector(IdentityGuardian.BadRecipient.selector, address(0)));
        vault.transferWithDelay(agent, address(0));
        vm.expectRevert(abi.encodeWithSelector(IdentityGuardian.BadRecipient.selector, address(vault)));
        vault.transferWithDelay(agent, address(vault));
    }

    // ---- execute

    function test_execute_revert_early(uint32 waited) public {
        vm.prank(owner);
        vault.transferWithDelay(agent, thief);
        _expectTooEarly(uint32(bound(waited, 0, DELAY - 1)));
    }

    function test_execute_revert_cancelled() public {
        vm.startPrank(owner);
        vault.transferWithDelay(agent, heir);
        vault.cancel(agent);
        skip(DELAY);
        vm.expectRevert(abi.encodeWithSelector(IdentityGuardian.NoTransferPending.selector, agent));
        vault.execute(agent);
        assertEq(registry.ownerOf(agent), address(vault));
    }

    function test_execute_revert_twice() public {
        vm.startPrank(owner);
        vault.transferWithDelay(agent, heir);
        skip(DELAY);
        vault.execute(agent);
        vm.expectRevert(abi.encodeWithSelector(IdentityGuardian.NoTransferPending.selector, agent));
        vault.execute(agent);
    }

    function test_execute_revert_nothingPending() public {
        vm.expectRevert(abi.encodeWithSelector(IdentityGuardian.NoTransferPending.selector, agent));
        vault.execute(agent);
    }

    /// A contract that does not accept tokens cannot lose one: it stays, and its owner cancels.
    function test_execute_revert_recipientTakesNoTokens() public {
        vm.startPrank(owner);
        vault.transferWithDelay(agent, address(registry));
        skip(DELAY);
        vm.expectRevert(abi.encodeWithSelector(IERC721Errors.ERC721InvalidReceiver.selector, address(registry)));
        vault.execute(agent);
        vault.cancel(agent);
        assertEq(vault.depositOf(agent).owner, owner);
    }

    /// If the record were removed after the token moved, the new deposit would be lost with it.
    function test_execute_recipientDepositsAgainAtOnce() public {
        Boomerang boomerang = new Boomerang(address(vault));
        vm.prank(owner);
        vault.transferWithDelay(agent, address(boomerang));
        skip(DELAY);
        vault.execute(agent);
        assertEq(registry.ownerOf(agent), address(vault));
        assertEq(vault.depositOf(agent).owner, address(boomerang));
        assertEq(vault.depositOf(agent).readyAt, 0);
    }

    // ---- cancel

    function test_cancel_byOwnerOrGuardian(bool byGuardian, uint32 later) public {
        address by = byGuardian ? guardian : owner;
        vm.prank(owner);
        vault.transferWithDelay(agent, thief);
        skip(later);
        vm.expectEmit(address(vault));
        emit IdentityGuardian.TransferCancelled(agent, by, thief);
        vm.prank(by);
        vault.cancel(agent);
        assertEq(vault.depositOf(agent).readyAt, 0);
        assertEq(vault.depositOf(agent).to, address(0));
        assertEq(vault.depositOf(agent).owner, owner);
        assertEq(vault.depositOf(agent).guardian, guardian);
    }

    function test_cancel_revert_stranger(address stranger) public {
        vm.assume(stranger != owner && stranger != guardian);
        vm.prank(owner);
        vault.transferWithDelay(agent, heir);
        vm.expectRevert(abi.encodeWithSelector(IdentityGuardian.NotDepositorOrGuardian.selector, agent, stranger));
        vm.prank(stranger);
        vault.cancel(agent);
    }

    /// The recipient has no rights before it has the token.
    function test_cancel_revert_recipient() public {
        vm.prank(owner);
        vault.transferWithDelay(agent, heir);
        vm.expectRevert(abi.encodeWithSelector(IdentityGuardian.NotDepositorOrGuardian.selector, agent, heir));
        vm.prank(heir);
        vault.cancel(agent);
    }

    function test_cancel_revert_nothingPending() public {
        vm.expectRevert(abi.encodeWithSelector(IdentityGuardian.NoTransferPending.selector, agent));
        vm.prank(owner);
        vault.cancel(agent);
    }

    /// A thief with the owner's key: for any actions in any order, the token stays while the guardian cancels in time.
    function test_thiefWithTheOwnersKey_getsNothingWhileTheGuardianWatches(uint32[6] calldata waits) public {
        for (uint256 i; i < waits.length; i++) {
            vm.prank(owner); // the thief
            vault.transferWithDelay(agent, thief);
            skip(bound(waits[i], 0, DELAY - 1));
            try vault.execute(agent) {} catch {}
            vm.prank(guardian);
            vault.cancel(agent);
            assertEq(registry.ownerOf(agent), address(vault));
        }
    }

    // ---- the registration

    function test_registration_isKeptByTheDepositor() public {
        uint256 walletKey = uint256(keccak256("wallet"));
        address wallet = vm.addr(walletKey);
        bytes memory consent = _consent(walletKey, wallet);
        vm.startPrank(owner);
        vault.setAgentURI(agent, "ipfs://new");
        vault.setMetadata(agent, "key", "value");
        vault.setAgentWallet(agent, wallet, block.timestamp, consent);
        assertEq(registry.tokenURI(agent), "ipfs://new");
        assertEq(registry.getMetadata(agent, "key"), "value");
        assertEq(registry.getAgentWallet(agent), wallet);
        vault.unsetAgentWallet(agent);
        assertEq(registry.getAgentWallet(agent), address(0));
    }

    function test_registration_revert_stranger(address stranger) public {
        vm.assume(stranger != owner);
        bytes memory refused = abi.encodeWithSelector(IdentityGuardian.NotDepositor.selector, agent, stranger);
        vm.startPrank(stranger);
        vm.expectRevert(refused);
        vault.setAgentURI(agent, "");
        vm.expectRevert(refused);
        vault.setMetadata(agent, "key", "");
        vm.expectRevert(refused);
        vault.setAgentWallet(agent, stranger, block.timestamp, "");
        vm.expectRevert(refused);
        vault.unsetAgentWallet(agent);
    }

    // ----

    function _expectTooEarly(uint32 waited) private {
        uint256 readyAt = block.timestamp + DELAY;
        skip(waited);
        vm.expectRevert(abi.encodeWithSelector(IdentityGuardian.DelayNotOver.selector, agent, readyAt, block.timestamp));
        vault.execute(agent);
    }

    /// The registry's owner is the vault, and that is what the wallet consents to.
    function _consent(uint256 key, address wallet) private view returns (bytes memory) {
        bytes32 domain = keccak256(
            abi.encode(
                keccak256("EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)"),
                keccak256("ERC8004IdentityRegistry"),
                keccak256("1"),
                block.chainid,
                address(registry)
            )
        );
        bytes32 typeHash = keccak256("AgentWalletSet(uint256 agentId,address newWallet,address owner,uint256 deadline)");
        bytes32 structHash = keccak256(abi.encode(typeHash, agent, wallet, address(vault), block.timestamp));
        (uint8 v, bytes32 r, bytes32 s) = vm.sign(key, keccak256(abi.encodePacked("\x19\x01", domain, structHash)));
        return abi.encodePacked(r, s, v);
    }
}
