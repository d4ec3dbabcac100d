import { useQuery } from '@tanstack/react-query'
import { useForm } from 'react-hook-form'
import { call } from '../../../shared/client.ts'
import { Button } from '../../../ui/Button.tsx'
import { FieldGrid } from '../../../ui/FieldGrid.tsx'
import { Form } from '../../../ui/Form.tsx'
import { FormActions } from '../../../ui/FormActions.tsx'
import { FormField } from '../../../ui/FormField.tsx'
import { NumberField } from '../../../ui/NumberField.tsx'
import { SelectField } from '../../../ui/SelectField.tsx'
import { TextField } from '../../../ui/TextField.tsx'
import { toast } from '../../../ui/toast.tsx'
import { useVersioned } from '../../../ui/useVersioned.tsx'
import { crewsQuery } from '../../employees/web/data.ts'
import { type EquipmentDetail, equipmentApi } from '../contract.ts'
import { type EquipmentKind, equipmentKinds, kindLabel, type Meter } from '../rules.ts'
import { useAddEquipment, usePiece } from './data.ts'
import { toTenths } from './labels.ts'

type Values = {
  kind: EquipmentKind
  name: string
  model: string
  serial: string
  meter: Meter | ''
  crewId: string
  reading: number | null
}

const valuesOf = (piece: EquipmentDetail | null): Values => ({
  kind: piece?.kind ?? 'mower',
  name: piece?.name ?? '',
  model: piece?.model ?? '',
  serial: piece?.serial ?? '',
  meter: piece ? (piece.meter ?? '') : 'hours',
  crewId: '',
  reading: null,
})

const bodyOf = ({ kind, name, model, serial, meter }: Values) => ({ kind, name, model, serial, meter: meter || null })

const meterOptions: { value: Meter | ''; label: string }[] = [
  { value: 'hours', label: 'Hour meter' },
  { value: 'miles', label: 'Odometer, in miles' },
  { value: '', label: 'None' },
]

/** A new piece of equipment, or what is known of one. */
export const EquipmentForm = ({ piece, onDone }: { piece: EquipmentDetail | null; onDone: (id: string) => void }) => {
  const form = useForm<Values>({ defaultValues: valuesOf(piece) })
  const { control, watch, setValue, formState } = form
  const crews = useQuery(crewsQuery)
  const add = useAddEquipment()
  const change = usePiece(piece?.id ?? '', 'update')
  const versioned = useVersioned<EquipmentDetail, ReturnType<typeof bodyOf>>({
    record: piece,
    read: (record) => bodyOf(valuesOf(record)),
    load: () => call(equipmentApi.get, { params: { id: piece?.id ?? '' } }),
    words: { kind: 'Kind', name: 'Name', model: 'Make and model', serial: 'Serial number', meter: 'Meter' },
    ...(piece ? { live: { dirty: formState.isDirty, fill: (record) => form.reset(valuesOf(record)) } } : {}),
  })
  const meter = watch('meter')
  const submit = async (values: Values) => {
    if (!piece) {
      const made = await add.mutateAsync({
        ...bodyOf(values),
        crewId: values.crewId || null,
        tenths: values.meter ? toTenths(values.reading) : null,
      })
      toast.success(`${made.name} is on the list`)
      return onDone(made.id)
    }
    await versioned.save(bodyOf(values), async (changes, over, also) => {
      const saved = await change.mutateAsync({ ...bodyOf(valuesOf(over)), ...changes, version: over.version })
      versioned.refill(saved)
      toast.success(`${saved.name} saved${also}`)
      onDone(saved.id)
    })
  }
  return (
    <Form form={form} onSubmit={submit} label={piece ? piece.name : 'New equipment'}>
      <FieldGrid min={200}>
        <FormField control={control} name="kind">
          {(f) => (
            <SelectField
              label="Kind"
              options={equipmentKinds.map((value) => ({ value, label: kindLabel[value] }))}
              {...f}
              onChange={(value) => {
                f.onChange(value)
                if (!piece && !formState.dirtyFields.meter)
                  setValue('meter', value === 'truck' ? 'miles' : value === 'mower' ? 'hours' : '')
              }}
            />
          )}
        </FormField>
        <FormField control={control} name="name" needed="What is it called?">
          {(f) => <TextField label="Name" maxLength={60} placeholder="Mower 3" {...f} />}
        </FormField>
        <FormField control={control} name="model">
          {(f) => <TextField label="Make and model" optional maxLength={80} placeholder="Scag Turf Tiger II" {...f} />}
        </FormField>
        <FormField control={control} name="serial">
          {(f) => <TextField label="Serial number or VIN" optional maxLength={60} {...f} />}
        </FormField>
        <FormField control={control} name="meter">
          {(f) => <SelectField label="Meter" options={meterOptions} {...f} />}
        </FormField>
        {!piece && meter ? (
          <FormField control={control} name="reading">
            {(f) => <NumberField label="It reads" optional unit={meter === 'hours' ? 'h' : 'mi'} min={0} {...f} />}
          </FormField>
        ) : null}
        {piece ? null : (
          <FormField control={control} name="crewId">
            {(f) => (
              <SelectField
                label="Crew"
                options={[
                  { value: '', label: 'None, it stays at the shop' },
                  ...(crews.data?.items ?? []).map(({ id, name }) => ({ value: id, label: name })),
                ]}
                {...f}
              />
            )}
          </FormField>
        )}
      </FieldGrid>
      <FormActions>
        <Button
          type="submit"
          kind="primary"
          loading={formState.isSubmitting}
          disabled={piece !== null && !formState.isDirty}
        >
          {piece ? 'Save changes' : 'Add it'}
        </Button>
      </FormActions>
      {versioned.dialog}
    </Form>
  )
}
