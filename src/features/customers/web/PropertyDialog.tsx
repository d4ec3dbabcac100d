import { useState } from 'react'
import { useForm } from 'react-hook-form'
import { ApiError, call } from '../../../shared/client.ts'
import { type Address, addressLine, isApproximate, isFixed } from '../../../shared/places.ts'
import { Button } from '../../../ui/Button.tsx'
import { CheckboxField } from '../../../ui/CheckboxField.tsx'
import { Dialog } from '../../../ui/Dialog.tsx'
import { Form } from '../../../ui/Form.tsx'
import { FormActions } from '../../../ui/FormActions.tsx'
import { toast } from '../../../ui/toast.tsx'
import { type SendOver, useVersioned } from '../../../ui/useVersioned.tsx'
import { type CustomerRecord, customersApi, type Property } from '../contract.ts'
import type { CustomValue } from '../custom/rules.ts'
import { customText } from '../custom/rules.ts'
import { customFlat, customGrouped, customNew, useCustomFields } from '../custom/web/data.ts'
import { useSaveProperty, useSetLocation } from './data.ts'
import { PinMap } from './PinMap.tsx'
import {
  AccessFields,
  AddressFields,
  LawnFields,
  type Pin,
  type PropertyFields,
  type PropertyValues,
  pinBody,
  propertyBody,
  propertyValues,
  propertyWords,
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

type Custom = Record<`custom.${string}`, CustomValue | null>

/** What the form holds of a property: its fields and its place. A place that was only looked up is nobody's change. */
const plainOf = (property: Property): PropertyFields => ({
  ...propertyBody(propertyValues(property)),
  gateCode: { mark: property.gateCodeMark },
  pin: property.geocodeQuality === 'manual' ? pinOf(property) : null,
})

/** Adds a property or changes one. With `pinOnly` only its place. */
export const PropertyDialog = ({ customer, property: shown, pinOnly = false, onClose }: Props) => {
  const fields = useCustomFields('property')
  const sent = (values: PropertyValues): Custom => customFlat(fields, values.property.custom)
  const read = (one: Property): PropertyFields & Custom => ({ ...plainOf(one), ...sent(propertyValues(one)) })
  const versioned = useVersioned({
    record: shown,
    read,
    load: async () => {
      const { properties } = await call(customersApi.get, { params: { id: customer.id } })
      return properties.find(({ id }) => id === shown?.id)
    },
    words: {
      ...propertyWords,
      ...Object.fromEntries(
        fields.map((field) => [
          `custom.${field.id}`,
          { label: field.name, show: (value: CustomValue | null) => customText(field, value ?? undefined) },
        ]),
      ),
    },
  })
  const property = versioned.opened
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

  const add = async (values: PropertyValues) => {
    const custom = customNew(fields, values.property.custom)
    await save.mutateAsync({
      ...propertyBody(values),
      ...(Object.keys(custom).length > 0 ? { custom } : {}),
      ...pinBody(pin),
    })
    toast.success('The property is added')
    onClose()
  }
  const change: SendOver<Property, PropertyFields & Custom> = async (
    { pin: place, gateCode, ...changes },
    { id, version: seen, street },
    also,
  ) => {
    const code = typeof gateCode === 'string' ? { gateCode } : {}
    const { version } = pinOnly
      ? { version: seen }
      : await save.mutateAsync({ ...customGrouped(changes), ...code, version: seen, relocate: asks && relocate })
    if (place) await locate.mutateAsync({ id, latitude: place.lat, longitude: place.lon, version })
    toast.success(pinOnly ? `${street} is on the map` : `${changes.street ?? street} is saved${also}`)
    onClose()
  }
  const submit = async (values: PropertyValues) => {
    try {
      if (property === null) await add(values)
      else
        await versioned.save(
          { ...propertyBody(values), ...sent(values), pin: moved && !pin.rough ? pin : read(property).pin },
          change,
        )
    } catch (error) {
      throw belowProperty(error)
    }
  }
  const removeGateCode = async () => {
    if (!property) return
    try {
      await versioned.save({ ...read(property), gateCode: null }, async (changes, { version }) => {
        if (changes.gateCode === null) {
          await save.mutateAsync({ gateCode: null, version })
          toast.success('The gate code is removed')
        }
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
      {versioned.dialog}
    </Dialog>
  )
}
