import { useFieldArray, useFormContext, useWatch } from 'react-hook-form'
import { call } from '../../../shared/client.ts'
import type { ResponseOf } from '../../../shared/endpoint.ts'
import { formatCents } from '../../../shared/money.ts'
import { Button } from '../../../ui/Button.tsx'
import { type Choice, ComboboxField } from '../../../ui/ComboboxField.tsx'
import { FieldError } from '../../../ui/FieldFrame.tsx'
import { FieldGrid } from '../../../ui/FieldGrid.tsx'
import { FormField } from '../../../ui/FormField.tsx'
import { IconButton } from '../../../ui/IconButton.tsx'
import { IconPlus, IconTrash } from '../../../ui/icons.ts'
import { MoneyField } from '../../../ui/MoneyField.tsx'
import { SelectField } from '../../../ui/SelectField.tsx'
import { jobsApi } from '../../jobs/contract.ts'
import type { expensesApi } from '../contract.ts'
import { evenParts, mostParts } from '../rules.ts'
import { emptyPart, type Values } from './values.ts'

export type Choices = ResponseOf<typeof expensesApi.choices>

const findJobs = async (q: string, signal: AbortSignal): Promise<Choice[]> => {
  const { items } = await call(jobsApi.list, { query: { ...(q ? { q } : {}), limit: 12 } }, { signal })
  return items.map(({ id, number, customerName, title, street }) => ({
    value: id,
    label: `J-${number} ${customerName}`,
    hint: [title, street].filter(Boolean).join(' · '),
  }))
}

const withNow = (options: { value: string; label: string }[], value: string, label: string) =>
  value === '' || options.some((one) => one.value === value) ? options : [...options, { value, label }]

const Part = ({
  at,
  split,
  choices,
  onRemove,
}: {
  at: number
  split: boolean
  choices: Choices
  onRemove: () => void
}) => {
  const { control, setValue } = useFormContext<Values>()
  const part = useWatch({ control, name: `parts.${at}` }) ?? emptyPart
  const crews = choices.crews.map(({ id, name }) => ({ value: id, label: name }))
  const trucks = choices.vehicles.map((name) => ({ value: name, label: name }))
  return (
    <fieldset className={split ? 'exp-part is-split' : 'exp-part'}>
      <legend className="ui-hidden">{split ? `Part ${at + 1}` : 'What it was for'}</legend>
      {split ? (
        <div className="exp-part__head">
          <FormField control={control} name={`parts.${at}.amountCents`} needed="Type an amount.">
            {(f) => <MoneyField label={`Part ${at + 1}`} {...f} />}
          </FormField>
          <IconButton label={`Remove part ${at + 1}`} icon={<IconTrash />} onClick={onRemove} />
        </div>
      ) : null}
      <FieldGrid min={150}>
        <FormField control={control} name={`parts.${at}.crewId`}>
          {(f) => (
            <SelectField
              label="Crew"
              optional
              placeholder="None"
              options={withNow(crews, part.crewId, 'An archived crew')}
              {...f}
              onChange={(crewId) => {
                f.onChange(crewId)
                const vehicle = choices.crews.find(({ id }) => id === crewId)?.vehicle
                if (vehicle) setValue(`parts.${at}.vehicle`, vehicle, { shouldDirty: true })
              }}
            />
          )}
        </FormField>
        {trucks.length > 0 || part.vehicle ? (
          <FormField control={control} name={`parts.${at}.vehicle`}>
            {(f) => (
              <SelectField
                label="Truck"
                optional
                placeholder="None"
                options={withNow(trucks, part.vehicle, part.vehicle)}
                {...f}
              />
            )}
          </FormField>
        ) : null}
        <FormField control={control} name={`parts.${at}.job`}>
          {(f) => (
            <ComboboxField
              label="Job"
              optional
              placeholder="Name, street or number"
              search={findJobs}
              emptyText="No job fits"
              {...f}
              onChange={(job) => {
                f.onChange(job)
                setValue(`parts.${at}.visitId`, null)
              }}
            />
          )}
        </FormField>
      </FieldGrid>
    </fieldset>
  )
}

/** For which crew, truck and work an expense was; split over several it says what is left to place. */
export const PartFields = ({ choices, disabled }: { choices: Choices; disabled: boolean }) => {
  const { control, setValue, getValues, formState } = useFormContext<Values>()
  const rows = useFieldArray({ control, name: 'parts' })
  const parts = useWatch({ control, name: 'parts' }) ?? []
  const totalCents = useWatch({ control, name: 'totalCents' }) ?? 0
  const split = rows.fields.length > 1
  const left = totalCents - parts.reduce((sum, part) => sum + (part?.amountCents ?? 0), 0)
  const spread = (count: number) =>
    evenParts(totalCents, count).forEach((cents, at) => {
      setValue(`parts.${at}.amountCents`, cents, { shouldDirty: true })
    })
  const add = () => {
    const before = getValues('parts')
    if (before.length === 1) setValue('parts.0.amountCents', totalCents || null)
    rows.append({ ...emptyPart, amountCents: before.length === 1 ? null : left > 0 ? left : null })
  }
  return (
    <section className="exp-parts" aria-labelledby="exp-for">
      <h3 id="exp-for">What for</h3>
      {rows.fields.map((field, at) => (
        <Part key={field.id} at={at} split={split} choices={choices} onRemove={() => rows.remove(at)} />
      ))}
      {split && left !== 0 ? (
        <FieldError id="exp-left">
          {left > 0
            ? `${formatCents(left)} is not in any part yet.`
            : `The parts are ${formatCents(-left)} more than the total.`}
        </FieldError>
      ) : null}
      {formState.errors.parts?.message ? (
        <FieldError id="exp-parts">{formState.errors.parts.message}</FieldError>
      ) : null}
      {disabled ? null : (
        <div className="exp-parts__tools">
          {rows.fields.length < mostParts ? (
            <Button size="s" kind="quiet" icon={<IconPlus />} onClick={add}>
              {split ? 'Add a part' : 'Split over crews or jobs'}
            </Button>
          ) : null}
          {split && totalCents > 0 ? (
            <Button size="s" kind="quiet" onClick={() => spread(rows.fields.length)}>
              Spread evenly
            </Button>
          ) : null}
        </div>
      )}
    </section>
  )
}
