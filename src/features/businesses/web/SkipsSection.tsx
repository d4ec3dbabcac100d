import { formatCents } from '../../../shared/money.ts'
import { Button } from '../../../ui/Button.tsx'
import { CheckboxField } from '../../../ui/CheckboxField.tsx'
import { FieldGrid } from '../../../ui/FieldGrid.tsx'
import { FormField } from '../../../ui/FormField.tsx'
import { IconButton } from '../../../ui/IconButton.tsx'
import { IconPlus, IconTrash } from '../../../ui/icons.ts'
import { MoneyField } from '../../../ui/MoneyField.tsx'
import { NumberField } from '../../../ui/NumberField.tsx'
import { SelectField } from '../../../ui/SelectField.tsx'
import { TextField } from '../../../ui/TextField.tsx'
import { useUser } from '../../accounts/web/session.ts'
import type { BusinessSettings } from '../contract.ts'
import { chargeWords, isSkipReason, type SkipRule, skipReasonLabel, skipRulesProblem } from '../skips/rules.ts'
import { Section } from './Section.tsx'

const users = [
  { value: 'both', label: 'Crews and office' },
  { value: 'crew', label: 'Crews' },
  { value: 'office', label: 'Office' },
  { value: 'nobody', label: 'Nobody' },
] as const
const charges = [
  { value: 'none', label: 'No charge' },
  { value: 'full', label: 'Charge the full price' },
  { value: 'percent', label: 'Charge part of the price' },
  { value: 'fee', label: 'Charge a fixed fee' },
] as const

const newRule: SkipRule = {
  code: '',
  nameEs: '',
  usedBy: 'both',
  needsPhoto: false,
  needsNote: false,
  charge: 'none',
  chargePercent: null,
  chargeCents: null,
}

type RuleProps = {
  rule: SkipRule
  own: boolean
  at: number
  error: { path: string; message: string } | null
  seesMoney: boolean
  onChange: (rule: SkipRule) => void
  onRemove: () => void
}

const Rule = ({ rule, own, at, error, seesMoney, onChange, onRemove }: RuleProps) => {
  const set = (part: Partial<SkipRule>) => onChange({ ...rule, ...part })
  const errorAt = (field: string) => (error?.path === `${at}.${field}` ? error.message : undefined)
  const name = skipReasonLabel(rule.code) || 'New reason'
  return (
    <fieldset className="skip-rule" aria-label={name}>
      {own ? (
        <div className="skip-rule__own">
          <TextField
            label="Reason"
            value={rule.code}
            maxLength={60}
            error={errorAt('code')}
            onChange={(code) => set({ code })}
          />
          <TextField
            label="In Spanish"
            optional
            value={rule.nameEs}
            maxLength={60}
            onChange={(nameEs) => set({ nameEs })}
          />
          <IconButton size="s" label={`Remove ${name}`} icon={<IconTrash />} onClick={onRemove} />
        </div>
      ) : (
        <b>{name}</b>
      )}
      <FieldGrid min={210}>
        <SelectField
          label={`Who may say ${name}`}
          hideLabel
          value={rule.usedBy}
          onChange={(usedBy) => set({ usedBy })}
          options={users}
          error={errorAt('usedBy')}
        />
        {seesMoney ? (
          <SelectField
            label={`What ${name} costs`}
            hideLabel
            value={rule.charge}
            onChange={(charge) =>
              set({
                charge,
                chargePercent: charge === 'percent' ? (rule.chargePercent ?? 50) : null,
                chargeCents: charge === 'fee' ? (rule.chargeCents ?? 2500) : null,
              })
            }
            options={charges}
          />
        ) : null}
        {seesMoney && rule.charge === 'percent' ? (
          <NumberField
            label={`Percent for ${name}`}
            hideLabel
            unit="%"
            min={1}
            max={100}
            value={rule.chargePercent}
            onChange={(chargePercent) => set({ chargePercent })}
            error={errorAt('chargePercent')}
          />
        ) : null}
        {seesMoney && rule.charge === 'fee' ? (
          <MoneyField
            label={`Fee for ${name}`}
            hideLabel
            value={rule.chargeCents}
            onChange={(chargeCents) => set({ chargeCents })}
            error={errorAt('chargeCents')}
          />
        ) : null}
      </FieldGrid>
      <div className="skip-rule__needs">
        <CheckboxField label="Photo needed" value={rule.needsPhoto} onChange={(needsPhoto) => set({ needsPhoto })} />
        <CheckboxField label="Words needed" value={rule.needsNote} onChange={(needsNote) => set({ needsNote })} />
      </div>
    </fieldset>
  )
}

const RuleList = ({ value, onChange }: { value: SkipRule[]; onChange: (rules: SkipRule[]) => void }) => {
  const seesMoney = useUser().permissions.includes('money')
  const error = skipRulesProblem(value)
  return (
    <div className="skip-rules">
      {value.map((rule, at) => (
        <Rule
          // biome-ignore lint/suspicious/noArrayIndexKey: a reason that is being named has no other identity
          key={at}
          at={at}
          rule={rule}
          own={!isSkipReason(rule.code)}
          error={error}
          seesMoney={seesMoney}
          onChange={(next) => onChange(value.map((one, index) => (index === at ? next : one)))}
          onRemove={() => onChange(value.filter((_, index) => index !== at))}
        />
      ))}
      <div>
        <Button size="s" kind="quiet" icon={<IconPlus />} onClick={() => onChange([...value, newRule])}>
          Add a reason
        </Button>
      </div>
    </div>
  )
}

const show = (rules: readonly SkipRule[]): string =>
  rules
    .map(
      (rule) =>
        `${skipReasonLabel(rule.code)}: ${users.find((one) => one.value === rule.usedBy)?.label.toLowerCase()}, ${chargeWords(rule, formatCents)}`,
    )
    .join('\n')

/** Why visits are skipped, who may say so, and what a wasted trip costs the customer. */
export const SkipsSection = ({ settings }: { settings: BusinessSettings }) => (
  <Section
    id="skips"
    title="Skip reasons"
    lead="Who may give each, what has to go along, and what it costs the customer. A crew's skip is charged by itself and waits to be invoiced; the office chooses each time. Jobs that are not billed by visit are never charged."
    settings={settings}
    saved="Skip reasons saved"
    pick={(s) => ({ skipRules: s.skipRules })}
    words={{ skipRules: { label: 'Skip reasons', show } }}
    toChange={(v) => ({ skipRules: v.skipRules })}
  >
    {({ control }) => (
      <FormField control={control} name="skipRules">
        {(f) => <RuleList value={f.value} onChange={f.onChange} />}
      </FormField>
    )}
  </Section>
)
