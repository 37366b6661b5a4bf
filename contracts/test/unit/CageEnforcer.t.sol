// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {CageWorld} from "../CageWorld.sol";
import {Delegation} from "../Framework.sol";

contract CageEnforcerTest is CageWorld {
    function test_swap_insideTheBounds() public {
        Delegation memory d = _caged(_bounds());
        _redeem(d, BATCH, _swap(100e6, account));
        assertEq(usdc.balanceOf(account), 999_900e6);
        assertGt(weth.balanceOf(account), 100 ether);
        assertEq(cage.spentCents(address(manager), account, GOLEM), 100_00);
    }

    function test_gas() public {
        Delegation memory bare = _sign(_delegation(address(0), ""), ownerKey);
        Delegation memory d = _caged(_bounds());
        _redeem(d, BATCH, _swap(100e6, account));
        _redeem(bare, BATCH, _swap(100e6, account));
        uint256 g = gasleft();
        _redeem(bare, BATCH, _swap(100e6, account));
        uint256 plain = g - gasleft();
        g = gasleft();
        _redeem(d, BATCH, _swap(100e6, account));
        emit log_named_uint("cage over none", g - gasleft() - plain);
        emit log_named_uint("terms", d.caveats[0].terms.length);
    }
}
