import type { z } from 'zod'
import type { Actor } from '../../../../platform/actor.ts'
import { audit } from '../../../../platform/audit.ts'
import { clock } from '../../../../platform/clock.ts'
import { type TenantDb, withTenant } from '../../../../platform/db/tenant.ts'
import { requireVersion } from '../../../../platform/db/version.ts'
import { publishChange } from '../../../../platform/events/changes.ts'
import { federalRule, type OvertimeRule, ruleFor, ruleLabel, stateRules } from '../../overtime/rules.ts'
import type { PayrollSettings, payrollApi, SavedPayrollSettings } from '../contract.ts'
import type { Rounding } from '../rules.ts'

const usual: PayrollSettings = {
  overtime: 'state',
  weeklyHours: 40,
  dailyHours: null,
  doubleHours: null,
  roundingMinutes: 0,
  preset: 'plain',
  companyCode: '',
  mileTenthCents: 700,
  codes: {},
}

const stored = async (db: TenantDb): Promise<PayrollSettings & { version: number }> => {
  const row = await db
    .selectFrom('payrollSettings')
    .select([
      'overtime',
      'weeklyHours',
      'dailyHours',
      'doubleHours',
      'roundingMinutes',
      'preset',
      'companyCode',
      'mileTenthCents',
      'codes',
      'version',
    ])
    .where('businessId', '=', db.businessId)
    .executeTakeFirst()
  return row
    ? {
        ...row,
        roundingMinutes: row.roundingMinutes as Rounding,
        codes: row.codes as unknown as PayrollSettings['codes'],
      }
    : { ...usual, version: 0 }
}

const stateOf = async (db: TenantDb): Promise<string | null> =>
  (await db.selectFrom('businesses').select('state').where('businessId', '=', db.businessId).executeTakeFirstOrThrow())
    .state

/** How a business counts: the rule of its state or its own, for a person with a wage. */
export type PayRules = {
  settings: PayrollSettings
  state: string | null
  ruleOf: (wageCents: number | null) => OvertimeRule
}

export const getPayRules = async (db: TenantDb): Promise<PayRules> => {
  const [settings, state] = [await stored(db), await stateOf(db)]
  const own: OvertimeRule = {
    weeklyHours: settings.weeklyHours,
    dailyHours: settings.dailyHours,
    doubleHours: settings.doubleHours,
    seventhDay: 'none',
  }
  return { settings, state, ruleOf: (wage) => (settings.overtime === 'own' ? own : ruleFor(state, wage)) }
}

export const getPayrollSettings = async (db: TenantDb): Promise<SavedPayrollSettings> => {
  const [settings, state] = [await stored(db), await stateOf(db)]
  const rule = stateRules[state as keyof typeof stateRules] ?? federalRule
  return { ...settings, stateRule: `${ruleLabel(rule)} (${rule.source})`, stateNote: rule.note ?? '' }
}

/** How the payroll counts, rounds and writes from now on. Nothing that is kept changes by it. */
export const savePayrollSettings = (
  actor: Actor,
  { version, ...set }: z.output<typeof payrollApi.saveSettings.body>,
): Promise<SavedPayrollSettings> =>
  withTenant(actor, async (db) => {
    const before = await stored(db)
    requireVersion(before, version, 'the payroll settings')
    const row = { ...set, codes: JSON.stringify(set.codes), version: before.version + 1, updatedAt: clock.iso() }
    await db
      .insertInto('payrollSettings')
      .values({ businessId: db.businessId, ...row })
      .onConflict((c) => c.column('businessId').doUpdateSet(row))
      .execute()
    await audit(db, actor, 'payroll.settings', { type: 'payroll_settings', id: null }, { before, after: set })
    await publishChange(db, 'timeclock')
    return getPayrollSettings(db)
  })
