import { useForm } from 'react-hook-form'
import { Button } from '../../../../ui/Button.tsx'
import { FieldGrid } from '../../../../ui/FieldGrid.tsx'
import { Form } from '../../../../ui/Form.tsx'
import { FormActions } from '../../../../ui/FormActions.tsx'
import { FormField } from '../../../../ui/FormField.tsx'
import { NumberField } from '../../../../ui/NumberField.tsx'
import { RadioField } from '../../../../ui/RadioField.tsx'
import { SelectField } from '../../../../ui/SelectField.tsx'
import { TextField } from '../../../../ui/TextField.tsx'
import { toast } from '../../../../ui/toast.tsx'
import { usualCodes } from '../../payfiles/rules.ts'
import { type PayrollSettings, payrollApi, type SavedPayrollSettings } from '../contract.ts'
import { codedItemLabel, codedItems, presetLabel, presets, type Rounding, roundings } from '../rules.ts'
import { usePayroll } from './data.ts'

const roundingLabel = (minutes: Rounding): string =>
  minutes === 0 ? 'To the second' : minutes === 6 ? 'A tenth of an hour (6 min)' : `${minutes} minutes`

type Values = Omit<PayrollSettings, 'weeklyHours' | 'roundingMinutes'> & {
  weeklyHours: number | null
  roundingMinutes: string
  cents: number | null
}

/** How the payroll counts overtime, rounds, and writes its file. */
export const PayrollSettingsForm = ({ settings, onDone }: { settings: SavedPayrollSettings; onDone: () => void }) => {
  const { saveSettings } = usePayroll()
  const { version, stateRule, stateNote, ...values } = settings
  const form = useForm<Values>({
    defaultValues: {
      ...values,
      roundingMinutes: String(values.roundingMinutes),
      cents: values.mileTenthCents / 10,
    },
  })
  const { control } = form
  const own = form.watch('overtime') === 'own'
  const preset = form.watch('preset')
  return (
    <Form
      form={form}
      label="Payroll settings"
      onSubmit={async ({ cents, roundingMinutes, weeklyHours, ...rest }) => {
        await saveSettings.mutateAsync({
          ...rest,
          version,
          weeklyHours: weeklyHours ?? 40,
          roundingMinutes: Number(roundingMinutes) as Rounding,
          mileTenthCents: Math.round((cents ?? 0) * 10),
        })
        toast.success('The payroll settings are saved')
        onDone()
      }}
    >
      <FormField control={control} name="overtime">
        {(f) => (
          <RadioField
            label="Overtime"
            options={[
              { value: 'state', label: 'As the law of our state says', hint: `${stateRule}. ${stateNote}` },
              {
                value: 'own',
                label: 'A rule of our own',
                hint: 'Never less than the law asks for: ask who does your payroll.',
              },
            ]}
            {...f}
          />
        )}
      </FormField>
      <FieldGrid min={170}>
        {own ? (
          <>
            <FormField control={control} name="weeklyHours" needed="Type hours up to 40.">
              {(f) => <NumberField label="A week, over" unit="h" min={1} max={40} {...f} />}
            </FormField>
            <FormField control={control} name="dailyHours">
              {(f) => <NumberField label="A day, over" unit="h" min={1} max={24} optional {...f} />}
            </FormField>
            <FormField control={control} name="doubleHours">
              {(f) => <NumberField label="Double a day, over" unit="h" min={1} max={24} optional {...f} />}
            </FormField>
          </>
        ) : null}
        <FormField control={control} name="roundingMinutes">
          {(f) => (
            <SelectField
              label="Rounding"
              options={roundings.map((minutes) => ({ value: String(minutes), label: roundingLabel(minutes) }))}
              hint="Only in the payroll. What people clocked is never changed."
              {...f}
            />
          )}
        </FormField>
        <FormField control={control} name="preset">
          {(f) => (
            <SelectField
              label="Payroll"
              options={presets.map((value) => ({ value, label: presetLabel[value] }))}
              {...f}
            />
          )}
        </FormField>
        <FormField control={control} name="companyCode">
          {(f) => (
            <TextField label="Company code" maxLength={20} optional hint="ADP: Co Code. Paychex: Client ID." {...f} />
          )}
        </FormField>
        <FormField control={control} name="cents">
          {(f) => <NumberField label="Own car, a mile" unit="¢" min={0} max={500} step={0.1} {...f} />}
        </FormField>
      </FieldGrid>
      {preset === 'plain' ? null : (
        <details>
          <summary>Earning codes at {presetLabel[preset]}</summary>
          <p className="hint">Where one is called otherwise at your provider, type it here. Empty: the usual one.</p>
          <FieldGrid min={170}>
            {codedItems.map((item) => (
              <FormField key={`${preset} ${item}`} control={control} name={`codes.${preset}.${item}`}>
                {({ value, ...f }) => (
                  <TextField
                    label={codedItemLabel[item]}
                    placeholder={usualCodes[preset][item]}
                    maxLength={40}
                    optional
                    value={value ?? ''}
                    {...f}
                  />
                )}
              </FormField>
            ))}
          </FieldGrid>
        </details>
      )}
      <FormActions>
        <Button type="submit" kind="primary" calls={payrollApi.saveSettings} loading={saveSettings.isPending}>
          Save settings
        </Button>
        <Button onClick={onDone}>Cancel</Button>
      </FormActions>
    </Form>
  )
}
