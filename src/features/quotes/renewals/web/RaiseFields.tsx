import { FieldGrid } from '../../../../ui/FieldGrid.tsx'
import { MoneyField } from '../../../../ui/MoneyField.tsx'
import { NumberField } from '../../../../ui/NumberField.tsx'
import { SelectField } from '../../../../ui/SelectField.tsx'
import type { Raise } from '../rules.ts'

type Props = { value: Raise; onChange: (raise: Raise) => void; error?: string | undefined }

/** How much prices go up, and to what they are rounded. */
export const RaiseFields = ({ value, onChange, error }: Props) => (
  <FieldGrid min={170}>
    <SelectField
      label="Price rise"
      value={value.kind}
      onChange={(kind) =>
        onChange({ ...value, kind: kind as Raise['kind'], value: kind === value.kind ? value.value : 0 })
      }
      options={[
        { value: 'none', label: 'None, prices stay' },
        { value: 'percent', label: 'By percent' },
        { value: 'amount', label: 'By dollars a visit' },
      ]}
    />
    {value.kind === 'percent' ? (
      <NumberField
        label="How much"
        unit="%"
        min={-90}
        max={100}
        step={0.5}
        value={value.value === 0 ? null : value.value / 100}
        onChange={(percent) => onChange({ ...value, value: Math.round((percent ?? 0) * 100) })}
        error={error}
      />
    ) : value.kind === 'amount' ? (
      <MoneyField
        label="How much"
        value={value.value === 0 ? null : value.value}
        onChange={(cents) => onChange({ ...value, value: cents ?? 0 })}
        error={error}
      />
    ) : null}
    {value.kind === 'none' ? null : (
      <SelectField
        label="Round prices to"
        value={String(value.roundTo)}
        onChange={(step) => onChange({ ...value, roundTo: Number(step) })}
        options={[
          { value: '1', label: 'The cent' },
          { value: '100', label: 'A whole dollar' },
          { value: '500', label: 'Five dollars' },
        ]}
      />
    )}
  </FieldGrid>
)
