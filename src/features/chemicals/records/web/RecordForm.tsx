import { useQuery } from '@tanstack/react-query'
import { useForm, useWatch } from 'react-hook-form'
import { Banner } from '../../../../ui/Banner.tsx'
import { Button } from '../../../../ui/Button.tsx'
import { DateField } from '../../../../ui/DateField.tsx'
import { ErrorState } from '../../../../ui/ErrorState.tsx'
import { FieldGrid } from '../../../../ui/FieldGrid.tsx'
import { Form } from '../../../../ui/Form.tsx'
import { FormActions } from '../../../../ui/FormActions.tsx'
import { FormField } from '../../../../ui/FormField.tsx'
import { IconButton } from '../../../../ui/IconButton.tsx'
import { IconPlus, IconTrash } from '../../../../ui/icons.ts'
import { NumberField } from '../../../../ui/NumberField.tsx'
import { SelectField } from '../../../../ui/SelectField.tsx'
import { PanelSkeleton } from '../../../../ui/Skeleton.tsx'
import { SwitchField } from '../../../../ui/SwitchField.tsx'
import { TextAreaField } from '../../../../ui/TextAreaField.tsx'
import { TextField } from '../../../../ui/TextField.tsx'
import { TimeField } from '../../../../ui/TimeField.tsx'
import { toast } from '../../../../ui/toast.tsx'
import { useToday, useUser } from '../../../accounts/web/session.ts'
import type { ChemicalMix, ChemicalProduct } from '../../contract.ts'
import { amountFor, carrierFor, licenseVerdict, winds } from '../../rules.ts'
import type { Unrecorded } from '../../unrecorded/contract.ts'
import { type ApplicationRecord, type Applicator, recordsApi } from '../contract.ts'
import { draftOfFacts } from '../rules.ts'
import { useApplications, visitApplicationsQuery } from './data.ts'
import { draftOf, filledBy, newValues, typedValues, unitOf, type Values, valuesOfDraft } from './formValues.ts'

type Catalog = { products: readonly ChemicalProduct[]; mixes: readonly ChemicalMix[] }
type Props = {
  catalog: Catalog
  /** The record that is put right; without one a new one is written. */
  record?: ApplicationRecord
  visitId: string | null
  /** What a phone sent and could not be taken: the record goes on from it. */
  waiting?: Unrecorded | null
  onDone: () => void
}

const licenseWords = {
  missing: 'Nobody named here has a valid license for this on that day. The record is marked, so that you see it.',
  refused:
    'This is a restricted-use product: it takes somebody with a valid license in this state, or a supervisor who has one. Without it the record is not saved.',
} as const

const noWeather = { windMph: null, windFrom: '' as const, temperatureF: null, sky: '' }

const weatherHint = {
  typed: undefined,
  forecast: 'From the forecast',
  none: 'Left empty: filled from the forecast of that hour, where it is kept',
} as const

const LicenseNote = ({
  values,
  products,
  people,
  state,
}: {
  values: Values
  products: readonly ChemicalProduct[]
  people: readonly Applicator[]
  state: string
}) => {
  const used = products.filter(({ id }) => values.products.some(({ productId }) => productId === id))
  const licensesOf = (id: string) => people.find((one) => one.id === id)?.licenses ?? null
  const own = licensesOf(values.applicatorId)
  if (!own || !values.day || used.length === 0) return null
  const verdict = licenseVerdict(used, own, licensesOf(values.supervisorId), { state, day: values.day })
  return verdict === 'missing' || verdict === 'refused' ? (
    <Banner tone={verdict === 'refused' ? 'error' : 'warn'}>{licenseWords[verdict]}</Banner>
  ) : null
}

const Fields = ({
  catalog,
  record,
  visitId,
  waiting,
  onDone,
  people,
  state,
  defaults,
}: Props & { people: readonly Applicator[]; state: string; defaults: Values }) => {
  const { timeZone } = useUser().business
  const today = useToday()
  const { add, amend } = useApplications()
  const form = useForm<Values>({ defaultValues: defaults })
  const { control, setValue } = form
  const values = useWatch({ control }) as Values
  const mixes = catalog.mixes.filter(({ archivedAt }) => archivedAt === null)
  const mix = mixes.find(({ id }) => id === values.mixId)

  const choose = (id: string) => {
    setValue('mixId', id)
    const chosen = mixes.find((one) => one.id === id)
    if (!chosen) return
    for (const [key, value] of Object.entries(filledBy(chosen, values.areaSquareFeet)))
      setValue(key as keyof Values, value as never, { shouldDirty: true })
  }
  /** Amounts follow the area; what was typed over a rate that is not known stays. */
  const resize = (squareFeet: number | null) => {
    setValue('areaSquareFeet', squareFeet, { shouldDirty: true })
    if (!squareFeet) return
    values.products.forEach(({ rate }, index) => {
      if (rate) setValue(`products.${index}.amount`, amountFor(rate, squareFeet))
    })
    if (mix) setValue('carrierGallons', carrierFor(mix.carrierGallons, squareFeet))
  }
  const typed = () => setValue('source', 'typed')
  /** What the forecast filled in is of another hour now: the server takes that of the new one, where it is known. */
  const otherHour = () => {
    if (record || values.source === 'typed') return
    for (const [key, value] of Object.entries({ ...noWeather, source: 'none' as const }))
      setValue(key as keyof Values, value as never)
  }
  const fail = (name: Parameters<typeof form.setError>[0], message: string) =>
    form.setError(name, { message }, { shouldFocus: true })

  const submit = async (now: Values) => {
    if (!now.areaSquareFeet) return fail('areaSquareFeet', 'How many square feet were treated?')
    if (!now.day) return fail('day', 'On which day?')
    if (now.startMinute === null) return fail('startMinute', 'When did it begin?')
    if (now.endMinute === null) return fail('endMinute', 'When did it end?')
    if (now.products.length === 0) return fail('mixId', 'Choose a mix, or add a product.')
    const bad = now.products.findIndex(({ productId, amount }) => !productId || !amount)
    if (bad >= 0)
      return now.products[bad]?.productId
        ? fail(`products.${bad}.amount`, 'How much was used?')
        : fail(`products.${bad}.productId`, 'Which product?')
    if (!now.applicatorId) return fail('applicatorId', 'Who applied it?')
    const draft = draftOf(now, mix?.name ?? record?.facts.mix ?? waiting?.draft?.mix ?? '', timeZone)
    if (record) {
      if (!now.reason.trim()) return fail('reason', 'Say why it is put right.')
      await amend.mutateAsync({ id: record.id, body: { ...draft, reason: now.reason, seen: record.amendments.length } })
      toast.success('The record is put right')
    } else {
      await add.mutateAsync({
        visitId: visitId ?? '',
        body: { ...draft, ...(waiting ? { unrecordedId: waiting.id } : {}) },
      })
      toast.success('The application is recorded')
    }
    onDone()
  }
  const personOptions = people.map(({ id, name }) => ({ value: id, label: name }))
  return (
    <Form form={form} onSubmit={submit} label="Application record">
      <FieldGrid min={220}>
        {record ? null : (
          <FormField control={control} name="mixId">
            {(f) => (
              <SelectField
                label="Mix"
                placeholder="Choose"
                options={mixes.map(({ id, name }) => ({ value: id, label: name }))}
                {...f}
                onChange={choose}
              />
            )}
          </FormField>
        )}
        <FormField control={control} name="areaSquareFeet">
          {(f) => <NumberField label="Treated" unit="sq ft" min={0} step={500} {...f} onChange={resize} />}
        </FormField>
        <FormField control={control} name="areaName">
          {(f) => <TextField label="Which part" optional maxLength={120} {...f} />}
        </FormField>
      </FieldGrid>
      {values.products.map(({ productId }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: lines have no name of their own, and the form keeps them by their place
        <div className="chem-line chem-line--used" key={index}>
          <FormField control={control} name={`products.${index}.productId`}>
            {(f) => (
              <SelectField
                label="Product"
                placeholder="Choose"
                options={catalog.products
                  .filter(({ archivedAt, id }) => archivedAt === null || id === f.value)
                  .map(({ id, name }) => ({ value: id, label: name }))}
                {...f}
              />
            )}
          </FormField>
          <FormField control={control} name={`products.${index}.rate`}>
            {(f) => (
              <NumberField label="For 1,000 sq ft" optional unit={unitOf(catalog.products, productId)} min={0} {...f} />
            )}
          </FormField>
          <FormField control={control} name={`products.${index}.amount`}>
            {(f) => <NumberField label="Used" unit={unitOf(catalog.products, productId)} min={0} {...f} />}
          </FormField>
          <IconButton
            size="s"
            label={`Take product ${index + 1} out`}
            icon={<IconTrash />}
            onClick={() =>
              setValue(
                'products',
                values.products.filter((_, at) => at !== index),
              )
            }
          />
        </div>
      ))}
      <div>
        <Button
          size="s"
          kind="quiet"
          icon={<IconPlus />}
          disabled={values.products.length >= 8}
          onClick={() => setValue('products', [...values.products, { productId: '', rate: null, amount: null }])}
        >
          Add a product
        </Button>
      </div>
      <FieldGrid min={150}>
        <FormField control={control} name="carrierGallons">
          {(f) => <NumberField label="Water" optional unit="gal" min={0} {...f} />}
        </FormField>
        <FormField control={control} name="target">
          {(f) => <TextField label="Target" optional maxLength={120} {...f} />}
        </FormField>
        <FormField control={control} name="method">
          {(f) => <TextField label="Method" optional maxLength={80} {...f} />}
        </FormField>
        <FormField control={control} name="equipment">
          {(f) => <TextField label="Equipment" optional maxLength={80} {...f} />}
        </FormField>
      </FieldGrid>
      <FieldGrid min={190}>
        <FormField control={control} name="day">
          {(f) => (
            <DateField
              label="Day"
              today={today}
              max={today}
              disabled={record !== undefined}
              {...f}
              onChange={(value) => {
                otherHour()
                f.onChange(value)
              }}
            />
          )}
        </FormField>
        <FormField control={control} name="startMinute">
          {(f) => <TimeField label="Began" step={5} {...f} />}
        </FormField>
        <FormField control={control} name="endMinute">
          {(f) => (
            <TimeField
              label="Ended"
              step={5}
              {...f}
              onChange={(value) => {
                otherHour()
                f.onChange(value)
              }}
            />
          )}
        </FormField>
      </FieldGrid>
      <FieldGrid min={220}>
        <FormField control={control} name="applicatorId">
          {(f) => <SelectField label="Applied by" placeholder="Choose" options={personOptions} {...f} />}
        </FormField>
        <FormField control={control} name="supervisorId">
          {(f) => (
            <SelectField
              label="Under the supervision of"
              optional
              options={[{ value: '', label: 'Nobody' }, ...personOptions]}
              {...f}
            />
          )}
        </FormField>
      </FieldGrid>
      <LicenseNote values={values} products={catalog.products} people={people} state={state} />
      <FieldGrid min={130}>
        <FormField control={control} name="windMph">
          {(f) => (
            <NumberField
              label="Wind"
              optional
              unit="mph"
              min={0}
              hint={weatherHint[record ? 'typed' : values.source]}
              {...f}
              onChange={(value) => {
                typed()
                f.onChange(value)
              }}
            />
          )}
        </FormField>
        <FormField control={control} name="windFrom">
          {(f) => (
            <SelectField
              label="Wind from"
              optional
              options={winds.map((wind) => ({ value: wind, label: wind || 'Not said' }))}
              {...f}
              onChange={(value) => {
                typed()
                f.onChange(value)
              }}
            />
          )}
        </FormField>
        <FormField control={control} name="temperatureF">
          {(f) => (
            <NumberField
              label="Temperature"
              optional
              unit="°F"
              {...f}
              onChange={(value) => {
                typed()
                f.onChange(value)
              }}
            />
          )}
        </FormField>
        <FormField control={control} name="sky">
          {(f) => (
            <TextField
              label="Sky"
              optional
              maxLength={60}
              {...f}
              onChange={(value) => {
                typed()
                f.onChange(value)
              }}
            />
          )}
        </FormField>
        <FormField control={control} name="soil">
          {(f) => <TextField label="Soil" optional maxLength={60} placeholder="Dry" {...f} />}
        </FormField>
      </FieldGrid>
      <FormField control={control} name="signPosted">
        {(f) => <SwitchField label="A sign was posted" {...f} />}
      </FormField>
      <FieldGrid min={220}>
        <FormField control={control} name="noticeLeft">
          {(f) => <TextField label="Notice left" optional maxLength={120} placeholder="Door hanger" {...f} />}
        </FormField>
        <FormField control={control} name="neighborsTold">
          {(f) => <TextField label="Neighbors told" optional maxLength={300} {...f} />}
        </FormField>
        <FormField control={control} name="disposal">
          {(f) => <TextField label="What was done with the rest" optional maxLength={300} {...f} />}
        </FormField>
        <FormField control={control} name="signature">
          {(f) => <TextField label="Signed" optional maxLength={120} {...f} />}
        </FormField>
      </FieldGrid>
      <FormField control={control} name="incident">
        {(f) => (
          <TextAreaField label="Incident" optional rows={2} maxLength={1000} hint="Spill, exposure or drift" {...f} />
        )}
      </FormField>
      {record ? (
        <FormField control={control} name="reason">
          {(f) => <TextAreaField label="Why it is put right" rows={2} maxLength={500} {...f} />}
        </FormField>
      ) : null}
      <FormActions>
        <Button
          type="submit"
          kind="primary"
          calls={record ? recordsApi.amend : recordsApi.add}
          loading={form.formState.isSubmitting}
        >
          {record ? 'Save the amendment' : 'Record the application'}
        </Button>
        <Button onClick={onDone}>Cancel</Button>
      </FormActions>
    </Form>
  )
}

/** The record of an application, filled by a mix and the measured lawn; every number can be typed over. */
export const RecordForm = (props: Props) => {
  const { catalog, record, visitId, waiting } = props
  const { timeZone } = useUser().business
  const found = useQuery({ ...visitApplicationsQuery(visitId ?? ''), enabled: visitId !== null })
  if (found.error && !found.data) return <ErrorState error={found.error} onRetry={() => void found.refetch()} />
  if (visitId !== null && !found.data) return <PanelSkeleton />
  const people = found.data?.people ?? named(record)
  const start = found.data?.start
  const signature = start ? (people.find(({ id }) => id === start.applicatorId)?.name ?? '') : ''
  const defaults = record
    ? valuesOfDraft(draftOfFacts(record.facts), timeZone)
    : start
      ? { ...newValues(start, timeZone, signature), ...typedValues(waiting?.draft ?? null, timeZone) }
      : null
  if (!defaults) return null
  return (
    <Fields
      {...props}
      catalog={catalog}
      people={people}
      state={record?.facts.state ?? found.data?.state ?? ''}
      defaults={defaults}
    />
  )
}

/** Those that a record names, where its visit is gone and nobody else can be offered. */
const named = (record: ApplicationRecord | undefined): Applicator[] =>
  record
    ? [record.facts.applicator, ...(record.facts.supervisor ? [record.facts.supervisor] : [])].map(({ id, name }) => ({
        id,
        name,
        licenses: [],
      }))
    : []
