import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { linkTo } from '../../../shared/links.ts'
import { formatCents } from '../../../shared/money.ts'
import { Badge } from '../../../ui/Badge.tsx'
import { Button } from '../../../ui/Button.tsx'
import { Card } from '../../../ui/Card.tsx'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { ErrorState } from '../../../ui/ErrorState.tsx'
import { LinkTo } from '../../../ui/LinkTo.tsx'
import { PageHeader } from '../../../ui/PageHeader.tsx'
import { CardSkeleton } from '../../../ui/Skeleton.tsx'
import { toast } from '../../../ui/toast.tsx'
import { useMay } from '../../accounts/web/session.ts'
import { materialsApi, type Purchase } from '../contract.ts'
import { packagesText, packageText } from '../rules.ts'
import { purchasesQuery, useDeed } from './data.ts'
import { MoveDialog } from './MoveDialog.tsx'

const OnePurchase = ({ purchase }: { purchase: Purchase }) => {
  const may = useMay()
  const remove = useDeed('unwant')
  const [receiving, setReceiving] = useState(false)
  const { name, package: one, isLow, packages, costCents, onHand, reorderAt, wants } = purchase
  return (
    <li>
      <span className="mat-rows__words">
        <span className="mat-name">
          <LinkTo href={linkTo.material(purchase.materialId)}>
            <b>{name}</b>
          </LinkTo>
          {isLow ? <Badge tone="wait">Low</Badge> : null}
        </span>
        <span className="num">
          Buy <b>{packagesText(packages, one)}</b>
          {costCents === null ? '' : `, ${formatCents(costCents)}`}
        </span>
        <span className="hint">
          {packageText(purchase)} · {packagesText(onHand, one)} on hand
          {reorderAt === null ? '' : `, reorder at ${packagesText(reorderAt, one)}`}
        </span>
        {wants.map(({ id, packages: count, note, by }) => (
          <span key={id} className="mat-want">
            <span>
              {packagesText(count, one)}
              {note ? ` for ${note}` : ''} <span className="hint">{by ?? ''}</span>
            </span>
            {may(materialsApi.unwant) ? (
              <Button
                size="s"
                kind="quiet"
                calls={materialsApi.unwant}
                aria-label={`Take off: ${packagesText(count, one)} of ${name}`}
                onClick={() =>
                  void remove
                    .mutateAsync({ params: { id } })
                    .then(() => toast.success(`${name} was taken off`), toast.error)
                }
              >
                Take off
              </Button>
            ) : null}
          </span>
        ))}
      </span>
      {may(materialsApi.receive) ? (
        <Button
          size="s"
          calls={materialsApi.receive}
          aria-label={`Received: ${name}`}
          onClick={() => setReceiving(true)}
        >
          Received
        </Button>
      ) : null}
      <MoveDialog
        material={{ id: purchase.materialId, name, package: one, onHand }}
        move={receiving ? 'receive' : null}
        usual={packages}
        onClose={() => setReceiving(false)}
      />
    </li>
  )
}

/** What is to be bought: what runs low, and what somebody asked for. */
export const PurchasesView = ({ bar }: { bar: ReactNode }) => {
  const found = useQuery(purchasesQuery)
  const items = found.data?.items ?? []
  const cents = items.reduce((sum, { costCents }) => sum + (costCents ?? 0), 0)
  return (
    <>
      <PageHeader title="Purchase list" sub="What runs low, and what was put here by hand or from the calculator." />
      {bar}
      {found.isError && !found.data ? (
        <ErrorState error={found.error} title="We could not load the list" onRetry={() => void found.refetch()} />
      ) : found.data ? (
        items.length === 0 ? (
          <EmptyState
            title="Nothing to buy"
            picture="unmowed"
            action={<Button href={linkTo.materials()}>To the materials</Button>}
          >
            A material is here as soon as there are no more of it than its reorder point, or somebody puts it here.
          </EmptyState>
        ) : (
          <div className="mat-narrow">
            <Card title={cents > 0 ? `${formatCents(cents)} in all` : 'To buy'} flush>
              <ul className="mat-rows mat-rows--card">
                {items.map((purchase) => (
                  <OnePurchase key={purchase.materialId} purchase={purchase} />
                ))}
              </ul>
            </Card>
          </div>
        )
      ) : (
        <CardSkeleton />
      )}
    </>
  )
}
