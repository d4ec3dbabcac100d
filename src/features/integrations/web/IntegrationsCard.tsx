import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { ApiError } from '../../../shared/client.ts'
import { paths } from '../../../shared/paths.ts'
import { Badge, type Tone } from '../../../ui/Badge.tsx'
import { Button } from '../../../ui/Button.tsx'
import { Card } from '../../../ui/Card.tsx'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { ErrorState } from '../../../ui/ErrorState.tsx'
import {
  IconBell,
  IconCar,
  IconCreditCard,
  IconKey,
  IconLink,
  IconMail,
  IconMap2,
  IconMapPin,
  IconMessage,
  IconReceipt,
} from '../../../ui/icons.ts'
import { PanelSkeleton } from '../../../ui/Skeleton.tsx'
import type { Integration } from '../contract.ts'
import type { IntegrationKey, IntegrationMode } from '../rules.ts'
import { integrationsQuery } from './data.ts'
import './integrations.css'

const about: Record<IntegrationKey, { name: string; icon: ReactNode }> = {
  payments: { name: 'Card payments', icon: <IconCreditCard /> },
  plans: { name: 'Plans of Swath', icon: <IconReceipt /> },
  mail: { name: 'Mail', icon: <IconMail /> },
  sms: { name: 'Texts', icon: <IconMessage /> },
  address: { name: 'Public address', icon: <IconLink /> },
  maps: { name: 'Maps', icon: <IconMap2 /> },
  travel: { name: 'Travel times', icon: <IconCar /> },
  geocoding: { name: 'Addresses', icon: <IconMapPin /> },
  google: { name: 'Sign-in with Google', icon: <IconKey /> },
  books: { name: 'QuickBooks', icon: <IconReceipt /> },
  push: { name: 'Push to phones', icon: <IconBell /> },
}

const modes: Record<IntegrationMode, { message: string; tone: Tone }> = {
  real: { message: 'Connected', tone: 'done' },
  local: { message: 'On this computer', tone: 'wait' },
  builtIn: { message: 'Built in', tone: 'done' },
  off: { message: 'Not set up', tone: 'neutral' },
}

const leads: Partial<Record<IntegrationKey, { label: string; href: string; when: readonly IntegrationMode[] }>> = {
  payments: { label: 'Your card account', href: `${paths.profile}?section=money#cards`, when: ['local'] },
  plans: { label: 'Your plan', href: `${paths.profile}#plan`, when: ['local'] },
  mail: { label: 'Open the local outbox', href: paths.localOutbox, when: ['local'] },
  sms: { label: 'Open the local phone', href: paths.localPhone, when: ['local'] },
  travel: { label: 'Set your roads', href: `${paths.profile}#costs`, when: ['builtIn'] },
  books: { label: 'Your books', href: paths.quickbooks, when: ['local', 'real'] },
}

const Row = ({ one }: { one: Integration }) => {
  const { name, icon } = about[one.key]
  const lead = leads[one.key]
  return (
    <li className="integration">
      <span className="integration__icon" aria-hidden="true">
        {icon}
      </span>
      <div className="integration__words">
        <h2>{name}</h2>
        <p className="muted">{one.message}</p>
        {one.missing.length > 0 ? (
          <details>
            <summary>To connect it, start the server with</summary>
            <pre>{one.missing.map(({ name: key, example }) => `${key}=${example}`).join('\n')}</pre>
          </details>
        ) : null}
      </div>
      <span className="integration__mode">
        <Badge tone={modes[one.mode].tone}>{modes[one.mode].message}</Badge>
        {lead?.when.includes(one.mode) ? (
          <Button size="s" href={lead.href}>
            {lead.label}
          </Button>
        ) : null}
      </span>
    </li>
  )
}

/** What Swath is connected to, honestly: what is real, what is played on this computer, and what is not there. */
export const IntegrationsCard = () => {
  const found = useQuery(integrationsQuery)
  const data = found.data
  const refused = found.error instanceof ApiError && found.error.status === 403
  return (
    <Card id="integrations" flush>
      {data ? (
        <>
          <p className="integrations__where muted">
            {data.production
              ? 'What this server is connected to.'
              : 'This is a local server: mail, texts and cards are played on this computer.'}
          </p>
          <ul className="integrations">
            {data.items.map((one) => (
              <Row key={one.key} one={one} />
            ))}
          </ul>
        </>
      ) : refused ? (
        <EmptyState picture="none" title="For the owner and whoever may change settings">
          Ask the owner of the business if something here should be connected.
        </EmptyState>
      ) : found.isError ? (
        <ErrorState error={found.error} onRetry={() => void found.refetch()} retrying={found.isFetching} />
      ) : (
        <div className="integration">
          <PanelSkeleton />
        </div>
      )}
    </Card>
  )
}
