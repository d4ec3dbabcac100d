import { useQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { useForm } from 'react-hook-form'
import { useNavigate } from 'react-router'
import { ApiError } from '../../../shared/client.ts'
import { linkTo } from '../../../shared/links.ts'
import { Banner } from '../../../ui/Banner.tsx'
import { Button } from '../../../ui/Button.tsx'
import { Card } from '../../../ui/Card.tsx'
import { Form } from '../../../ui/Form.tsx'
import { IconUpload } from '../../../ui/icons.ts'
import { LinkTo } from '../../../ui/LinkTo.tsx'
import { PageHeader } from '../../../ui/PageHeader.tsx'
import { toast } from '../../../ui/toast.tsx'
import { useParams } from '../../../ui/useParams.ts'
import { MayOnly } from '../../accounts/web/MayOnly.tsx'
import { useUser } from '../../accounts/web/session.ts'
import type { CustomerDuplicate } from '../contract.ts'
import { customersApi } from '../contract.ts'
import { customNew, useCustomFields } from '../custom/web/data.ts'
import {
  BillingFields,
  ContactFields,
  type CustomerValues,
  customerBody,
  customerValues,
  MoreFields,
} from './CustomerFields.tsx'
import { countsQuery, duplicatesOf, useCreateCustomer } from './data.ts'
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
import './customers.css'

type Values = CustomerValues & PropertyValues

const empty = (): Values => ({ ...customerValues(), ...propertyValues() })

const some = <T extends object>(custom: T): { custom: T } | object => (Object.keys(custom).length > 0 ? { custom } : {})

const matchLabel = { email: 'e-mail', phone: 'phone number', address: 'address' } as const

const Duplicates = ({
  list,
  saving,
  onAnyway,
}: {
  list: readonly CustomerDuplicate[]
  saving: boolean
  onAnyway: () => void
}) => (
  <Banner
    tone="warn"
    title={
      list.length === 1
        ? 'This customer may be in your list already.'
        : `${list.length} customers in your list look like this one.`
    }
    action={
      <Button onClick={onAnyway} loading={saving}>
        Add anyway
      </Button>
    }
  >
    Nothing was saved yet.
    <ul className="duplicates">
      {list.map((one) => (
        <li key={one.customerId}>
          <LinkTo href={linkTo.customer(one.customerId, { archived: one.archived })}>{one.name}</LinkTo>
          {one.street ? `, ${one.street}` : ''} has the same {one.matches.map((how) => matchLabel[how]).join(' and ')}
          {one.archived ? ' (archived)' : ''}.
        </li>
      ))}
    </ul>
  </Banner>
)

/** One customer with the first property, by hand. */
const CustomerForm = () => {
  const navigate = useNavigate()
  const { params } = useParams()
  const form = useForm<Values>({ defaultValues: { ...empty(), phone: params.get('phone') ?? '' } })
  const create = useCreateCustomer()
  const fields = useCustomFields()
  const of = (record: 'customer' | 'property') => fields.filter((field) => field.record === record)
  const counts = useQuery(countsQuery)
  const [pin, setPin] = useState<Pin>(null)
  const [duplicates, setDuplicates] = useState<readonly CustomerDuplicate[] | null>(null)
  const [full, setFull] = useState<string | null>(null)
  const top = useRef<HTMLDivElement>(null)
  const name = form.watch('name').trim()
  const another = useRef(false)

  const save = async (values: Values, allowDuplicate: boolean) => {
    setFull(null)
    const { property, ...rest } = values
    const hasProperty = property.street.trim() !== '' || (pin !== null && !pin.rough)
    const body = {
      ...customerBody(rest),
      ...some(customNew(of('customer'), rest.custom)),
      allowDuplicate,
      ...(hasProperty
        ? {
            property: {
              ...propertyBody({ property }),
              ...some(customNew(of('property'), property.custom)),
              ...pinBody(pin),
            },
          }
        : {}),
    }
    try {
      const made = await create.mutateAsync(body)
      setDuplicates(null)
      toast.success(`${made.name} is in your list`)
      if (another.current) {
        form.reset(empty())
        setPin(null)
        form.setFocus('name')
      } else void navigate(linkTo.customer(made.id))
    } catch (error) {
      const found = duplicatesOf(error)
      if (found) setDuplicates(found)
      else if (error instanceof ApiError && error.code === 'customer_limit_reached') setFull(error.message)
      else throw error
      setTimeout(() => top.current?.scrollIntoView({ block: 'center' }))
    }
  }
  const submit = (values: Values) => {
    setDuplicates(null)
    return save(values, false)
  }
  const hasPlan = useUser().subscriptionActive
  const isFull =
    hasPlan && counts.data?.limit !== null && counts.data !== undefined && counts.data.all >= (counts.data.limit ?? 0)

  return (
    <>
      <PageHeader
        title="Add a customer"
        sub="Name and street are enough to book work; the rest helps the crew."
        actions={
          <Button icon={<IconUpload />} href={linkTo.import('new')}>
            Import a list instead
          </Button>
        }
      />
      <div ref={top} className="customers-banner">
        {full || isFull ? (
          <Banner
            tone="warn"
            title={`Your ${counts.data?.planName ?? ''} plan is full.`}
            action={<Button href="/pricing">See {counts.data?.nextPlanName ?? 'plans'}</Button>}
          >
            {full ??
              'Everyone in your list keeps working. To add more, change the plan or archive customers you no longer serve.'}
          </Banner>
        ) : null}
        {duplicates ? (
          <Duplicates
            list={duplicates}
            saving={create.isPending}
            onAnyway={() => void save(form.getValues(), true).catch(toast.error)}
          />
        ) : null}
      </div>
      <Form form={form} onSubmit={submit} label="New customer" className="create-customer">
        <div className="create-customer__sides">
          <div className="create-customer__side">
            <Card title="Who">
              <ContactFields />
            </Card>
            <Card title="Where" hint="the first property">
              <div className="stack">
                <AddressFields />
                <LawnFields />
              </div>
            </Card>
            <Card title="Getting in" hint="for the crew">
              <AccessFields />
            </Card>
          </div>
          <div className="create-customer__side">
            <Card title="On the map" flush>
              <PinMap
                pin={pin}
                name={name || 'the new customer'}
                onPin={setPin}
                address={() => form.getValues('property')}
                height={340}
                reset={pin ? { label: 'Remove the pin', onReset: () => setPin(null) } : null}
              />
            </Card>
            <Card title="More about them">
              <MoreFields />
            </Card>
            <details className="create-customer__billing">
              <summary>Billing: other address, terms, tax</summary>
              <BillingFields />
            </details>
          </div>
        </div>
        <div className="create-customer__bar">
          <Button
            type="submit"
            kind="primary"
            calls={customersApi.create}
            loading={create.isPending}
            onClick={() => {
              another.current = false
            }}
          >
            {name === '' ? 'Add customer' : `Add ${name.length > 28 ? `${name.slice(0, 27)}…` : name}`}
          </Button>
          <Button
            type="submit"
            loading={create.isPending && another.current}
            onClick={() => {
              another.current = true
            }}
          >
            Add and start another
          </Button>
        </div>
      </Form>
    </>
  )
}

export const CreateCustomer = () => (
  <MayOnly need={customersApi.create}>
    <CustomerForm />
  </MayOnly>
)
