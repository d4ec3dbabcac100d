import { type ReactNode, useRef } from 'react'
import { useFieldArray, useForm, useWatch } from 'react-hook-form'
import { call } from '#src/shared/client.ts'
import { Banner } from '#src/ui/Banner.tsx'
import { Button } from '#src/ui/Button.tsx'
import { CheckboxField } from '#src/ui/CheckboxField.tsx'
import { FieldGrid } from '#src/ui/FieldGrid.tsx'
import { Form } from '#src/ui/Form.tsx'
import { FormField } from '#src/ui/FormField.tsx'
import { IconButton } from '#src/ui/IconButton.tsx'
import { IconArchive, IconPlus, IconTrash } from '#src/ui/icons.ts'
import { NumberField } from '#src/ui/NumberField.tsx'
import { RecordPanel } from '#src/ui/RecordPanel.tsx'
import { SelectField } from '#src/ui/SelectField.tsx'
import { SwitchField } from '#src/ui/SwitchField.tsx'
import { TextAreaField } from '#src/ui/TextAreaField.tsx'
import { TextField } from '#src/ui/TextField.tsx'
import { toast } from '#src/ui/toast.tsx'
import { useVersioned } from '#src/ui/useVersioned.tsx'
import { type ServiceDraft, type ServiceRecord, servicesApi } from '../contract.ts'
import { type MeasuredBy, measureUnitLong } from '../measures/rules.ts'
import { matrixSizes, type PriceRule, priceNeedsSize, takesNoTime } from '../rules.ts'
import { useAddService, useChangeService } from './data.ts'
import { numberOf } from './numberOf.ts'
import { PriceMatrix } from './PriceMatrix.tsx'
import { PriceRuleFields } from './PriceRuleFields.tsx'
import { PriceTest } from './PriceTest.tsx'
import {
  categoryOptions,
  changesOf,
  cleanDraft,
  draftOf,
  fieldsOf,
  firstTiers,
  measureOptions,
  serviceWords,
  unitOptions,
} from './serviceValues.tsx'

/** A service that is booked gets a new price: what it is, and what to do when it was set. */
export type PriceAsk = { service: ServiceRecord; priceRule: PriceRule; onDone: () => void }

type Props = {
  /** Null makes a new one. */
  service: ServiceRecord | null
  onClose: () => void
  onArchive?: (() => void) | undefined
  archiving?: boolean
  /** False for who does not see prices: they look at the rest. */
  canEdit: boolean
  /** With it a new price is not saved before this was asked. */
  askPrice?: ((ask: PriceAsk) => void) | undefined
  /** What it cost before. */
  history?: ReactNode
}

const byMeasure: Record<MeasuredBy, string> = {
  lawn: 'for each 1,000 sq ft of lawn',
  beds: 'for each 1,000 sq ft of beds',
  edges: 'for each 1,000 ft of edges',
}

/** A service with its price rule, its time and what the crew ticks off; the price can be tried while it is made. */
export const ServiceEditor = ({ service: shown, onClose, onArchive, archiving = false, canEdit, ...more }: Props) => {
  const versioned = useVersioned({
    record: shown,
    read: (record: ServiceRecord) => fieldsOf(draftOf(record)),
    load: async () => (await call(servicesApi.catalog, { query: {} })).items.find(({ id }) => id === shown?.id),
    words: serviceWords,
  })
  const service = versioned.opened
  const form = useForm<ServiceDraft>({ defaultValues: draftOf(service) })
  const { control } = form
  const checklist = useFieldArray({ control, name: 'checklist' })
  const values = useWatch({ control }) as ServiceDraft
  const measuredAtFirst = form.formState.defaultValues?.measuredBy ?? 'lawn'
  const sizesOf = useRef(new Map<MeasuredBy, Pick<PriceRule, 'sizeAtMinSquareFeet' | 'tiers'>>())
  /** A rate by the lawn is none by the bed: what grows with a size begins anew with its measure, and is there again with the one before. */
  const measureAnew = (before: MeasuredBy, next: MeasuredBy) => {
    const { sizeAtMinSquareFeet, tiers } = values.priceRule
    if (before === next || !priceNeedsSize(values.priceRule)) return
    sizesOf.current.set(before, { sizeAtMinSquareFeet, tiers })
    const anew = sizesOf.current.get(next) ?? { sizeAtMinSquareFeet: matrixSizes[next][0], tiers: firstTiers(next) }
    form.setValue('priceRule.sizeAtMinSquareFeet', anew.sizeAtMinSquareFeet, { shouldDirty: true })
    form.setValue('priceRule.tiers', anew.tiers, { shouldDirty: true })
  }
  const add = useAddService()
  const change = useChangeService(service?.id ?? '')
  const done = (words: string) => {
    toast.success(words)
    onClose()
  }
  const submit = async (draft: ServiceDraft) => {
    if (!service) return done(`${(await add.mutateAsync(cleanDraft(draft))).name} added`)
    await versioned.save(fieldsOf(draft), async (changes, over, also) => {
      const { priceRule, ...rest } = changesOf(changes, over)
      const asked = more.askPrice && priceRule
      const before = draftOf(over)
      /** Saves some fields; Undo gives them back what they were, over nobody's later change. */
      const save = async (fields: Partial<ServiceDraft>) => {
        const saved = await change.mutateAsync({ ...fields, version: over.version })
        const was = Object.fromEntries(Object.keys(fields).map((key) => [key, before[key as keyof ServiceDraft]]))
        const back = () =>
          change
            .mutateAsync({ ...was, version: saved.version })
            .then(({ name }) => toast.success(`Undone: ${name} is as it was`), toast.error)
        toast.undo(`${saved.name} saved${also}`, back, `service:${saved.id}`)
        return saved
      }
      if (!asked) {
        await save(changesOf(changes, over))
        return onClose()
      }
      // What costs nothing to change is saved at once; the price waits for its question.
      const saved = Object.keys(rest).length > 0 ? await save(rest) : over
      more.askPrice?.({ service: saved, priceRule, onDone: onClose })
    })
  }
  return (
    <RecordPanel
      open
      onClose={onClose}
      width={560}
      title={service ? service.name : 'New service'}
      sub={
        service
          ? service.jobCount === 0
            ? 'In no open job'
            : `In ${service.jobCount} open ${service.jobCount === 1 ? 'job' : 'jobs'}; a new price asks what becomes of them`
          : 'What you do, what it costs, how long it takes'
      }
      footer={
        canEdit ? (
          <>
            {onArchive ? (
              <Button
                calls={servicesApi.archive}
                kind="quiet"
                icon={<IconArchive />}
                onClick={onArchive}
                loading={archiving}
              >
                Archive
              </Button>
            ) : null}
            <Button
              calls={service ? servicesApi.update : servicesApi.create}
              kind="primary"
              type="submit"
              form="service-form"
              loading={add.isPending || change.isPending}
            >
              {service ? 'Save service' : 'Add service'}
            </Button>
          </>
        ) : undefined
      }
    >
      <Form form={form} onSubmit={submit} id="service-form" label="Service">
        <fieldset className="svc-bare" disabled={!canEdit}>
          <FormField control={control} name="name">
            {(f) => <TextField label="Name" maxLength={120} {...f} />}
          </FormField>
          <FormField control={control} name="description">
            {(f) => <TextAreaField label="What the customer reads" optional rows={2} maxLength={1000} {...f} />}
          </FormField>
          <FieldGrid min={180}>
            <FormField control={control} name="category">
              {(f) => <SelectField label="Kind of work" {...f} options={categoryOptions} />}
            </FormField>
            <FormField control={control} name="unit">
              {(f) => <SelectField label="Priced" {...f} options={unitOptions} />}
            </FormField>
            <FormField control={control} name="measuredBy">
              {(f) => (
                <SelectField
                  label="Measured by"
                  hint="What its price, minutes and material go by at a property."
                  {...f}
                  options={measureOptions}
                  onChange={(next) => {
                    f.onChange(next)
                    measureAnew(values.measuredBy, next as MeasuredBy)
                  }}
                />
              )}
            </FormField>
          </FieldGrid>
          {canEdit ? (
            <>
              <h3 className="svc-head">Price</h3>
              {values.measuredBy !== measuredAtFirst && priceNeedsSize(values.priceRule) ? (
                <Banner tone="warn" title={`These are first rates ${byMeasure[values.measuredBy]}.`}>
                  What stood here was asked {byMeasure[measuredAtFirst]}, which is no price of another measure. Set the
                  rates, the smallest price and the minutes of this one.
                </Banner>
              ) : null}
              <PriceRuleFields control={control} />
              <PriceMatrix
                priceRule={values.priceRule}
                unit={values.unit}
                measuredBy={values.measuredBy}
                onChange={({ minCents, sizeAtMinSquareFeet, tiers }) => {
                  const dirty = { shouldDirty: true }
                  form.setValue('priceRule.minCents', minCents, dirty)
                  form.setValue('priceRule.sizeAtMinSquareFeet', sizeAtMinSquareFeet, dirty)
                  form.setValue('priceRule.tiers', tiers, dirty)
                }}
              />
            </>
          ) : null}
          <h3 className="svc-head">Time on site</h3>
          <FieldGrid min={150}>
            <FormField control={control} name="timeRule.fixedMinutes">
              {(f) => <NumberField label="Each visit" unit="min" min={0} {...numberOf(f)} />}
            </FormField>
            <FormField control={control} name="timeRule.minutesPerKsqft">
              {(f) => (
                <NumberField
                  label={`Per 1,000 ${measureUnitLong[values.measuredBy]}`}
                  unit="min"
                  step={0.1}
                  min={0}
                  {...numberOf(f)}
                />
              )}
            </FormField>
            <FormField control={control} name="timeRule.minutesPerUnit">
              {(f) => <NumberField label="Per unit" unit="min" min={0} {...numberOf(f)} />}
            </FormField>
          </FieldGrid>
          {canEdit && takesNoTime(values.timeRule) ? (
            <Banner tone="warn" title="Routes plan no time on site for this service.">
              Give it minutes for each visit or by size, unless it is done along the way.
            </Banner>
          ) : null}
          {canEdit ? <PriceTest {...values} /> : null}
          <h3 className="svc-head">For the crew</h3>
          <FormField control={control} name="nameEs">
            {(f) => (
              <TextField
                {...f}
                label="Name in Spanish"
                optional
                maxLength={120}
                hint="What crew members who read Spanish see. Empty, they see the name."
              />
            )}
          </FormField>
          {checklist.fields.map((field, index) => (
            <div className="svc-check" key={field.id}>
              <FormField control={control} name={`checklist.${index}.text`}>
                {(f) => <TextField label={`To tick ${index + 1}`} hideLabel maxLength={120} {...f} />}
              </FormField>
              <FormField control={control} name={`checklist.${index}.es`}>
                {(f) => (
                  <TextField
                    {...f}
                    value={f.value ?? ''}
                    label={`To tick ${index + 1} in Spanish`}
                    hideLabel
                    placeholder="In Spanish"
                    maxLength={120}
                  />
                )}
              </FormField>
              <FormField control={control} name={`checklist.${index}.required`}>
                {(f) => <CheckboxField label="Must" {...f} />}
              </FormField>
              <FormField control={control} name={`checklist.${index}.photo`}>
                {(f) => <CheckboxField label="Photo" {...f} value={f.value ?? false} />}
              </FormField>
              <IconButton
                size="s"
                label={`Remove point ${index + 1}`}
                icon={<IconTrash />}
                onClick={() => checklist.remove(index)}
              />
            </div>
          ))}
          <div>
            <Button
              size="s"
              kind="quiet"
              icon={<IconPlus />}
              onClick={() => checklist.append({ text: '', required: false })}
            >
              Add a point to the checklist
            </Button>
          </div>
          <FormField control={control} name="photoRequired">
            {(f) => <SwitchField label="A photo is needed to finish" {...f} />}
          </FormField>
          <FormField control={control} name="soldAtDoor">
            {(f) => (
              <SwitchField
                label="Crews sell it at the door"
                hint="Its price at a stop goes to the crew's phone, for the screen that the customer agrees on."
                {...f}
              />
            )}
          </FormField>
          <FormField control={control} name="skills">
            {(f) => (
              <TextField
                label="Skills and equipment it needs"
                optional
                maxLength={200}
                hint="Separated by commas, as they stand on the crews: applicator, aerator. Only a crew that has all of them is sent."
                {...f}
                value={f.value.join(',')}
                onChange={(text: string) => f.onChange(text === '' ? [] : text.split(','))}
              />
            )}
          </FormField>
          <FieldGrid min={180}>
            <FormField control={control} name="minGapDays">
              {(f) => <NumberField label="Days between two visits, at least" unit="days" min={0} {...numberOf(f)} />}
            </FormField>
            <FormField control={control} name="taxCategory">
              {(f) => <TextField label="Tax category" maxLength={40} {...f} />}
            </FormField>
          </FieldGrid>
        </fieldset>
      </Form>
      {more.history}
      {versioned.dialog}
    </RecordPanel>
  )
}
