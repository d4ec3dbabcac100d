import { useQuery } from '@tanstack/react-query'
import { type Control, useFieldArray, useForm } from 'react-hook-form'
import { Button } from '../../../ui/Button.tsx'
import { Card } from '../../../ui/Card.tsx'
import { ErrorState } from '../../../ui/ErrorState.tsx'
import { Form } from '../../../ui/Form.tsx'
import { FormActions } from '../../../ui/FormActions.tsx'
import { FormField } from '../../../ui/FormField.tsx'
import { IconButton } from '../../../ui/IconButton.tsx'
import { IconPlus, IconTrash } from '../../../ui/icons.ts'
import { MoneyField } from '../../../ui/MoneyField.tsx'
import { NumberField } from '../../../ui/NumberField.tsx'
import { SelectField } from '../../../ui/SelectField.tsx'
import { CardSkeleton } from '../../../ui/Skeleton.tsx'
import { SwitchField } from '../../../ui/SwitchField.tsx'
import { TextField } from '../../../ui/TextField.tsx'
import { toast } from '../../../ui/toast.tsx'
import { useMay } from '../../accounts/web/session.ts'
import { extrasApi } from '../contract.ts'
import { longestStep, mostSteps, type OvergrownRule, type OvergrownStep } from '../rules.ts'
import { extraSettingsQuery, useSaveExtraSettings } from './data.ts'
import './extras.css'

type Kind = 'percent' | 'cents'
// A field array keeps `id` for itself.
type Row = { stepId: string; en: string; es: string; kind: Kind; percent: number | null; cents: number | null }
type Values = { on: boolean; asks: boolean; steps: Row[] }
type Saved = { overgrown: OvergrownRule; version: number }

const valuesOf = ({ on, asks, steps }: OvergrownRule): Values => ({
  on,
  asks,
  steps: steps.map(({ id, ...step }) => ({ ...step, stepId: id, kind: step.cents === null ? 'percent' : 'cents' })),
})

const stepOf = ({ stepId, kind, percent, cents, ...row }: Row): OvergrownStep => ({
  ...row,
  id: stepId,
  percent: kind === 'percent' ? percent : null,
  cents: kind === 'cents' ? cents : null,
})

const kinds = [
  { value: 'percent', label: 'Percent' },
  { value: 'cents', label: 'Dollars' },
] as const

const Step = ({
  control,
  at,
  kind,
  onRemove,
}: {
  control: Control<Values>
  at: number
  kind: Kind
  onRemove: () => void
}) => (
  <div className="extra-step">
    <FormField control={control} name={`steps.${at}.en`} needed="What is it called?">
      {(f) => <TextField label={`Step ${at + 1}`} maxLength={longestStep} {...f} />}
    </FormField>
    <FormField control={control} name={`steps.${at}.es`}>
      {(f) => <TextField label="In Spanish" optional maxLength={longestStep} {...f} />}
    </FormField>
    <FormField control={control} name={`steps.${at}.kind`}>
      {(f) => <SelectField label="Adds in" options={kinds} {...f} onChange={(value) => f.onChange(value as Kind)} />}
    </FormField>
    {kind === 'percent' ? (
      <FormField control={control} name={`steps.${at}.percent`} needed="How much?">
        {(f) => <NumberField label="Percent" unit="%" step={5} min={1} max={500} {...f} />}
      </FormField>
    ) : (
      <FormField control={control} name={`steps.${at}.cents`} needed="How much?">
        {(f) => <MoneyField label="Dollars" {...f} />}
      </FormField>
    )}
    <IconButton label={`Take step ${at + 1} off`} icon={<IconTrash />} onClick={onRemove} />
  </div>
)

const Editor = ({ saved }: { saved: Saved }) => {
  const mayChange = useMay()(extrasApi.saveSettings)
  const save = useSaveExtraSettings()
  const form = useForm<Values>({ defaultValues: valuesOf(saved.overgrown) })
  const { control, watch } = form
  const { isDirty, isSubmitting } = form.formState
  const { fields, append, remove } = useFieldArray({ control, name: 'steps' })
  const on = watch('on')
  const submit = async ({ steps, ...rule }: Values) => {
    const now = await save.mutateAsync({ overgrown: { ...rule, steps: steps.map(stepOf) }, version: saved.version })
    form.reset(valuesOf(now.overgrown))
    toast.success('Overgrown lawns saved. Crews have them with their next signal')
  }
  return (
    <Form form={form} onSubmit={submit} label="Overgrown lawns">
      <fieldset className="settings-card__fields" disabled={!mayChange}>
        <FormField control={control} name="on">
          {(f) => (
            <SwitchField
              label="Crews mark overgrown lawns"
              hint="Always with a photo. They see the steps, never the prices."
              {...f}
            />
          )}
        </FormField>
        {on ? (
          <>
            <FormField control={control} name="asks">
              {(f) => (
                <SwitchField
                  label="Ask the office first"
                  hint="It waits in Needs you with its photo. Off: it stands on the visit at once, and the office can change or decline it until it is invoiced."
                  {...f}
                />
              )}
            </FormField>
            {fields.map((field, at) => (
              <Step
                key={field.id}
                control={control}
                at={at}
                kind={watch(`steps.${at}.kind`)}
                onRemove={() => remove(at)}
              />
            ))}
            {fields.length < mostSteps ? (
              <div>
                <Button
                  size="s"
                  kind="quiet"
                  icon={<IconPlus />}
                  onClick={() =>
                    append({ stepId: crypto.randomUUID(), en: '', es: '', kind: 'percent', percent: null, cents: null })
                  }
                >
                  Add a step
                </Button>
              </div>
            ) : null}
            <p className="hint">Percent is of what the visit mows, at its own price.</p>
          </>
        ) : null}
      </fieldset>
      {isDirty && mayChange ? (
        <FormActions>
          <Button type="submit" kind="primary" loading={isSubmitting}>
            Save overgrown lawns
          </Button>
          <Button onClick={() => form.reset(valuesOf(saved.overgrown))} disabled={isSubmitting}>
            Undo
          </Button>
        </FormActions>
      ) : null}
    </Form>
  )
}

const Found = () => {
  const found = useQuery(extraSettingsQuery)
  return (
    <Card id="overgrown" flush className="settings-card">
      <div className="settings-card__words">
        <h2>Overgrown lawns</h2>
        <p className="muted">
          What tall grass adds to a visit. It stands on the visit as a line of its own and is invoiced with it, once.
        </p>
      </div>
      {found.data ? (
        <Editor saved={found.data} />
      ) : found.isError ? (
        <ErrorState error={found.error} compact onRetry={() => void found.refetch()} retrying={found.isFetching} />
      ) : (
        <CardSkeleton />
      )}
    </Card>
  )
}

/** What an overgrown lawn adds, for who sees money. */
export const OvergrownSection = () => (useMay()(extrasApi.settings) ? <Found /> : null)
