import { useQuery } from '@tanstack/react-query'
import { Card } from '../../../../ui/Card.tsx'
import { PageHeader } from '../../../../ui/PageHeader.tsx'
import { PanelSkeleton } from '../../../../ui/Skeleton.tsx'
import { useSession } from '../../web/session.ts'
import { beginTwoFactor, twoFactorQuery, useConfirm } from './data.ts'
import { SetUp } from './SetUp.tsx'

/** Stands where the office would be, for who still has to set up the second step that the business asks for. */
export const TwoFactorGate = () => {
  const session = useSession()
  const state = useQuery(twoFactorQuery)
  const confirm = useConfirm()
  return (
    <div className="two-gate">
      <PageHeader
        title="Set up your second step"
        sub="Your business asks everybody in the office for it. Everything else is as you left it."
      />
      <Card>
        {state.data ? (
          <SetUp
            hasPassword={state.data.hasPassword}
            begin={beginTwoFactor}
            confirm={confirm.mutateAsync}
            onDone={() => void session.refreshUser()}
          />
        ) : (
          <PanelSkeleton />
        )}
      </Card>
    </div>
  )
}
