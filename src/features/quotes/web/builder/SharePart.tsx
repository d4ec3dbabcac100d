import { MoneyField } from '../../../../ui/MoneyField.tsx'
import { NumberField } from '../../../../ui/NumberField.tsx'
import { SelectField } from '../../../../ui/SelectField.tsx'
import type { Share } from '../../rules.ts'

type Props = { label: string; value: Share; onChange: (share: Share) => void; hint?: string }

/** Nothing, a percentage, or dollars. */
export const SharePart = ({ label, value, onChange, hint }: Props) => (
  <div className="qb-share">
    <SelectField
      label={label}
      value={value.kind}
      onChange={(kind) => onChange({ kind, value: kind === value.kind ? value.value : 0 })}
      options={[
        { value: 'none', label: 'None' },
        { value: 'percent', label: 'Percent' },
        { value: 'amount', label: 'Dollars' },
      ]}
      {...(hint ? { hint } : {})}
    />
    {value.kind === 'percent' ? (
      <NumberField
        label="How much"
        unit="%"
        value={value.value === 0 ? null : value.value / 100}
        onChange={(percent) => onChange({ kind: 'percent', value: Math.round((percent ?? 0) * 100) })}
        min={0}
        max={100}
        {...(value.value > 10_000 ? { error: 'At most 100%.' } : {})}
      />
    ) : value.kind === 'amount' ? (
      <MoneyField
        label="How much"
        value={value.value === 0 ? null : value.value}
        onChange={(cents) => onChange({ kind: 'amount', value: cents ?? 0 })}
      />
    ) : null}
  </div>
)
