/* SPDX-License-Identifier: MIT */
#include "model/machine/search/odometer.h"

static uint32_t choose(struct chooser *chooser, uint32_t count)
{
    struct odometer *odometer = (struct odometer *)chooser;
    if (odometer->made == ODOMETER_CHOICES)
        return 0;
    uint32_t at = odometer->made++;
    if (at >= odometer->given)
        odometer->chosen[at] = 0;
    odometer->counts[at] = count;
    return odometer->chosen[at];
}

void odometer_start(struct odometer *odometer)
{
    odometer->chooser.choose = choose;
    odometer->made = odometer->given = 0;
}

bool odometer_next(struct odometer *odometer)
{
    while (odometer->made &&
           odometer->chosen[odometer->made - 1] + 1 == odometer->counts[odometer->made - 1])
        odometer->made--;
    if (!odometer->made)
        return false;
    odometer->given = odometer->made;
    odometer->chosen[odometer->made - 1]++;
    return true;
}
