import { useState } from 'react'
import { useForm } from 'react-hook-form'
import { ApiError } from '../../../shared/client.ts'
import { type Address, addressLine, isApproximate, isFixed } from '../../../shared/places.ts'
import { Button } from '../../../ui/Button.tsx'
import { CheckboxField } from '../../../ui/CheckboxField.tsx'
import { Dialog } from '../../../ui/Dialog.tsx'
import { Form } from '../../../ui/Form.tsx'
import { FormActions } from '../../../ui/FormActions.tsx'
import { toast } from '../../../ui/toast.tsx'
import { type SaveVersioned, Versioned } from '../../../ui/Versioned.tsx'
import type { CustomerRecord, Property } from '../contract.ts'
import { useSaveProperty, useSetLocation } from './data.ts'
import { PinMap } from './PinMap.tsx'
import {
  AccessFields,
  AddressFields,
  LawnFields,
  type Pin,
  type PropertyValues,
  pinBody,
  propertyBody,
  propertyValues,
} from './PropertyFields.tsx'

type Props = { customer: CustomerRecord; property: Property | null; pinOnly?: boolean; onClose: () => void }

const pinOf = (p: Property | null): Pin =>
  p?.latitude != null && p.longitude !== null
    ? { lat: p.latitude, lon: p.longitude, rough: isApproximate(p.geocodeQuality) }
    : null

const addressOf = ({ property: { street, city, state, zip } }: PropertyValues): Address => ({
  street,
  city,
  state,
  zip,
})

/** The fields of this form stand below `property`; so must the server's errors. */
const belowProperty = (error: unknown): unknown =>
  error instanceof ApiError && error.errors.length > 0
    ? new ApiError(error.code, error.message, error.status, {
        ...(error.requestId ? { requestId: error.requestId } : {}),
        errors: error.errors.map((e) => ({ ...e, path: `property.${e.path}` })),
      })
    : error

const Editor = ({
  customer,
  property,
  pinOnly = false,
  onClose,
  save: saveVersioned,
}: Props & { save: SaveVersioned }) => {
  const form = useForm<PropertyValues>({ defaultValues: propertyValues(property ?? undefined) })
  const [pin, setPin] = useState<Pin>(pinOf(property))
  const save = useSaveProperty(customer.id, property?.id ?? null)
  const locate = useSetLocation()
  const before = pinOf(property)
  const moved = pin !== null && (pin.lat !== before?.lat || pin.lon !== before?.lon || (before?.rough && !pin.rough))
  const address = () => addressOf(form.getValues())
  const [relocate, setRelocate] = useState(false)
  const typed = addressLine(addressOf(form.watch()))
  const addressMoved = property !== null && typed !== addressLine(property)
  const asks = addressMoved && isFixed(property.geocodeQuality) && !moved
  const name = property?.street ?? `a new property of ${customer.name}`

  const submit = (values: PropertyValues) => saveVersioned((version) => store(values, version))
  const store = async (values: PropertyValues, version: number) => {
    try {
      if (property === null) await save.mutateAsync({ ...propertyBody(values), ...pinBody(pin) })
      else {
        if (!pinOnly) await save.mutateAsync({ ...propertyBody(values), version, relocate: asks && relocate })
        if (moved && pin && !pin.rough)
          await locate.mutateAsync({ id: property.id, latitude: pin.lat, longitude: pin.lon })
      }
    } catch (error) {
      throw belowProperty(error)
    }
    toast.success(
      property === null
        ? 'The property is added'
        : pinOnly
          ? `${property.street} is on the map`
          : `${values.property.street} is saved`,
    )
    onClose()
  }
  const removeGateCode = async () => {
    if (!property) return
    try {
      await saveVersioned(async (version) => {
        await save.mutateAsync({ gateCode: null, version })
        toast.success('The gate code is removed')
        onClose()
      })
    } catch (error) {
      toast.error(error)
    }
  }

  return (
    <Dialog
      open
      onClose={onClose}
      size="l"
      closeOnOutside={false}
      title={
        pinOnly
          ? `Where is ${property?.street}?`
          : property
            ? `Edit ${property.street}`
            : `Add a property for ${customer.name}`
      }
    >
      <Form form={form} onSubmit={submit} label="Property">
        {pinOnly ? null : <AddressFields />}
        {asks ? (
          <CheckboxField
            name="relocate"
            label="Look the new address up and move the pin"
            hint="The pin was set by hand. Left as it is, it stays where it is."
            value={relocate}
            onChange={setRelocate}
          />
        ) : null}
        <PinMap
          pin={pin}
          name={name}
          onPin={setPin}
          address={address}
          reset={moved ? { label: before ? 'Put it back' : 'Remove the pin', onReset: () => setPin(before) } : null}
          height={pinOnly ? 420 : 240}
          {...(property ? { exceptId: property.id } : {})}
        />
        {pinOnly ? null : (
          <>
            <LawnFields />
            <AccessFields hasGateCode={property?.hasGateCode ?? false} />
          </>
        )}
        <FormActions>
          <Button
            kind="primary"
            type="submit"
            loading={form.formState.isSubmitting}
            disabled={pinOnly && (!moved || pin?.rough)}
          >
            {property === null ? 'Add property' : pinOnly ? 'Save the pin' : 'Save property'}
          </Button>
          <Button onClick={onClose}>Cancel</Button>
          {property?.hasGateCode && !pinOnly ? (
            <Button kind="quiet" onClick={() => void removeGateCode()}>
              Remove the gate code
            </Button>
          ) : null}
        </FormActions>
      </Form>
    </Dialog>
  )
}

const saveNew: SaveVersioned = (send) => send(0)

/** Adds a property or changes one. With `pinOnly` only its place. */
export const PropertyDialog = ({ property, ...rest }: Props) =>
  property ? (
    <Versioned record={property}>{(opened, save) => <Editor property={opened} save={save} {...rest} />}</Versioned>
  ) : (
    <Editor property={null} save={saveNew} {...rest} />
  )
