import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useForm } from 'react-hook-form'
import { linkTo, recordParam } from '../../../shared/links.ts'
import { Badge } from '../../../ui/Badge.tsx'
import { Banner } from '../../../ui/Banner.tsx'
import { Button } from '../../../ui/Button.tsx'
import { Card } from '../../../ui/Card.tsx'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { ErrorState } from '../../../ui/ErrorState.tsx'
import { Form } from '../../../ui/Form.tsx'
import { FormActions } from '../../../ui/FormActions.tsx'
import { FormField } from '../../../ui/FormField.tsx'
import { IconPlus } from '../../../ui/icons.ts'
import { PageHeader } from '../../../ui/PageHeader.tsx'
import { CardSkeleton } from '../../../ui/Skeleton.tsx'
import { SwitchField } from '../../../ui/SwitchField.tsx'
import { Tabs } from '../../../ui/Tabs.tsx'
import { toast } from '../../../ui/toast.tsx'
import { useParams } from '../../../ui/useParams.ts'
import { useMay } from '../../accounts/web/session.ts'
import { type ChemicalMix, type ChemicalProduct, type ChemicalSettings, chemicalsApi } from '../contract.ts'
import { RecordList } from '../records/web/RecordList.tsx'
import { fieldLabel, plainNumber, signalLabel } from '../rules.ts'
import { federalRule, stateRules } from '../states/rules.ts'
import { chemicalsQuery, useChemicals } from './data.ts'
import { MixPanel } from './MixPanel.tsx'
import { ProductPanel } from './ProductPanel.tsx'
import './chemicals.css'

const parts = ['records', 'mixes', 'products', 'rules'] as const
type Part = (typeof parts)[number]
const labels: Record<Part, string> = { records: 'Records', mixes: 'Mixes', products: 'Products', rules: 'Rules' }

const productHint = (one: ChemicalProduct): string =>
  [
    one.epaNumber ? `EPA ${one.epaNumber}` : 'no registration number',
    one.formulation,
    one.signalWord ? signalLabel[one.signalWord] : '',
    one.reentryHours > 0 ? `keep off ${one.reentryHours} h` : '',
    one.licenseSkill ? `license: ${one.licenseSkill}` : '',
  ]
    .filter(Boolean)
    .join(' · ')

const mixHint = (mix: ChemicalMix, products: readonly ChemicalProduct[]): string =>
  [
    ...mix.products.map(({ productId, rate }) => {
      const product = products.find(({ id }) => id === productId)
      return `${plainNumber(rate)} ${product?.unit ?? ''} ${product?.name ?? ''}`
    }),
    mix.carrierGallons === null ? 'spread dry' : `${plainNumber(mix.carrierGallons)} gal of water`,
  ].join(' · ')

type Entry = { id: string; name: string; hint: string; archivedAt: string | null; badge?: string }

const List = ({ entries, onOpen }: { entries: readonly Entry[]; onOpen: (id: string) => void }) => (
  <Card flush>
    <ul className="chem-list">
      {entries.map(({ id, name, hint, archivedAt, badge }) => (
        <li key={id}>
          <button type="button" onClick={() => onOpen(id)}>
            <span>
              <b>{name}</b>
              <span className="hint">{hint}</span>
            </span>
            {badge ? <Badge tone="flag">{badge}</Badge> : null}
            {archivedAt ? <Badge tone="neutral">Archived</Badge> : null}
          </button>
        </li>
      ))}
    </ul>
  </Card>
)

export const ChemicalRulesCard = ({ settings, noMixes }: { settings: ChemicalSettings; noMixes: boolean }) => {
  const { setRules } = useChemicals()
  const { blockFinish, tellCustomers, version } = settings
  const form = useForm({ values: { blockFinish, tellCustomers } })
  const { control } = form
  const save = async (values: { blockFinish: boolean; tellCustomers: boolean }) => {
    await setRules.mutateAsync({ ...values, version })
    toast.success('The rules are saved')
  }
  return (
    <Card title="How you work with chemicals">
      {blockFinish && noMixes ? (
        <Banner tone="warn" title="Crews are asked for a record that they cannot write">
          There is no mix, so their phones have nothing to record with: every treatment is finished without a record,
          with a reason for you. Add a mix, or take this rule back.
        </Banner>
      ) : null}
      <div className="chem-rules">
        <Form form={form} onSubmit={save} label="Rules">
          <fieldset className="svc-bare" disabled={!settings.can.update}>
            <FormField control={control} name="blockFinish">
              {(f) => (
                <SwitchField
                  label="A treatment is finished only with a complete record"
                  hint="The crew’s phone does not finish a stop with a treatment while its record lacks what the state asks for."
                  {...f}
                />
              )}
            </FormField>
            <FormField control={control} name="tellCustomers">
              {(f) => (
                <SwitchField
                  label="Tell the customer"
                  hint="Once for a visit, a few minutes after it is recorded: products, until when to keep off, the label."
                  {...f}
                />
              )}
            </FormField>
          </fieldset>
          {settings.can.update ? (
            <FormActions>
              <Button
                type="submit"
                kind="primary"
                calls={chemicalsApi.setRules}
                disabled={!form.formState.isDirty}
                loading={form.formState.isSubmitting}
              >
                Save the rules
              </Button>
            </FormActions>
          ) : null}
        </Form>
        <div>
          <h3>What states ask for</h3>
          <p className="hint">
            Every record has {federalRule.needs.length} fields by the federal rule. These states ask for more, as far as
            we found it; check with your own regulator. Records are kept for five years.
          </p>
          <ul className="chem-states">
            {Object.entries(stateRules).map(([state, rule]) => (
              <li key={state}>
                <b>{state}</b>
                <span>
                  {rule.needs.map((field) => fieldLabel[field]).join(', ')}
                  <span className="hint">
                    {' '}
                    · kept {rule.keepYears} years · {rule.source.replace(/^https?:\/\//, '')}
                  </span>
                </span>
              </li>
            ))}
          </ul>
        </div>
      </div>
    </Card>
  )
}

/** Products and mixes, what was applied with them, and how the business works with them. */
export const ChemicalsScreen = () => {
  const { params, change } = useParams()
  const asked = params.get(recordParam.chemicals) as Part
  const part = parts.includes(asked) ? asked : 'records'
  const found = useQuery(chemicalsQuery)
  const may = useMay()
  const [open, setOpen] = useState<{ kind: 'mix' | 'product'; id: string | null } | null>(null)
  const data = found.data
  const canEdit = may(chemicalsApi.addProduct)
  const header = (
    <PageHeader
      title="Chemicals"
      sub="What is put on lawns, by whom and how much: written down once, kept five years."
      back={{ href: linkTo.services(), label: 'Services' }}
      actions={
        canEdit && data && (part === 'mixes' || part === 'products') ? (
          part === 'mixes' ? (
            data.products.length > 0 ? (
              <Button
                calls={chemicalsApi.addMix}
                kind="primary"
                icon={<IconPlus />}
                onClick={() => setOpen({ kind: 'mix', id: null })}
              >
                Add a mix
              </Button>
            ) : undefined
          ) : (
            <Button
              calls={chemicalsApi.addProduct}
              kind="primary"
              icon={<IconPlus />}
              onClick={() => setOpen({ kind: 'product', id: null })}
            >
              Add a product
            </Button>
          )
        ) : undefined
      }
    />
  )
  const tabs = (
    <Tabs
      label="Chemicals"
      tabs={parts.map((value) => ({ value, label: labels[value], href: linkTo.chemicals(value) }))}
      value={part}
      onChange={(value) => change({ [recordParam.chemicals]: value })}
    />
  )
  const close = () => setOpen(null)
  return (
    <>
      {header}
      {tabs}
      <div className="chem-part">
        {part === 'records' ? (
          <RecordList />
        ) : found.error && !data ? (
          <ErrorState error={found.error} onRetry={() => void found.refetch()} retrying={found.isFetching} />
        ) : !data ? (
          <CardSkeleton />
        ) : part === 'rules' ? (
          <ChemicalRulesCard
            settings={data.settings}
            noMixes={data.mixes.every(({ archivedAt }) => archivedAt !== null)}
          />
        ) : part === 'mixes' ? (
          data.mixes.length === 0 ? (
            <Card>
              <EmptyState
                title="No mixes yet"
                action={
                  data.products.length === 0 ? (
                    <Button href={linkTo.chemicals('products')}>Add your products first</Button>
                  ) : undefined
                }
              >
                A mix is what is in the tank or the spreader, by 1,000 sq ft. At the stop one tap on it writes the whole
                record.
              </EmptyState>
            </Card>
          ) : (
            <List
              entries={data.mixes.map((mix) => ({ ...mix, hint: mixHint(mix, data.products) }))}
              onOpen={(id) => setOpen({ kind: 'mix', id })}
            />
          )
        ) : data.products.length === 0 ? (
          <Card>
            <EmptyState title="No products yet">
              Herbicides, fertilizers, insecticides as their labels have them: registration number, license, how long to
              keep off.
            </EmptyState>
          </Card>
        ) : (
          <List
            entries={data.products.map((one) => ({
              ...one,
              hint: productHint(one),
              ...(one.restricted ? { badge: 'Restricted use' } : {}),
            }))}
            onOpen={(id) => setOpen({ kind: 'product', id })}
          />
        )}
      </div>
      {data && open?.kind === 'product' ? (
        <ProductPanel
          key={open.id ?? 'new'}
          product={data.products.find(({ id }) => id === open.id) ?? null}
          canEdit={canEdit}
          onClose={close}
        />
      ) : null}
      {data && open?.kind === 'mix' ? (
        <MixPanel
          key={open.id ?? 'new'}
          mix={data.mixes.find(({ id }) => id === open.id) ?? null}
          products={data.products}
          canEdit={canEdit}
          onClose={close}
        />
      ) : null}
    </>
  )
}
