-- Who asks, in one statement that needs no transaction of its own. It runs as whoever calls it, behind the same wall as every query: the business
-- is set for this one statement. A statement and not set_config(): Citus carries SET LOCAL to its workers, and may run the function on the
-- shard of its first argument.
create function who_asks(asked_business uuid, asked_user uuid, asked_session uuid)
returns table (
  name text, role text, permissions text[], status text, token_version integer, archived_at timestamptz,
  time_zone text, plan_tier text, subscription_status text, past_due_since timestamptz, require_two_factor boolean,
  revoked_at timestamptz, last_used_at timestamptz, two_factor_since timestamptz
) language plpgsql volatile as $$
begin
  execute format('set local app.business_id = %L', asked_business);
  return query
    select u.name, u.role, u.permissions, u.status, u.token_version, u.archived_at,
      b.time_zone, b.plan_tier, b.subscription_status, b.past_due_since, b.require_two_factor,
      s.revoked_at, s.last_used_at, t.confirmed_at
    from users u
    join businesses b on b.business_id = u.business_id
    join sessions s on s.business_id = u.business_id and s.user_id = u.id
    left join two_factors t on t.business_id = u.business_id and t.user_id = u.id
    where u.business_id = asked_business and u.id = asked_user and s.id = asked_session;
end $$;
revoke all on function who_asks(uuid, uuid, uuid) from public;
grant execute on function who_asks(uuid, uuid, uuid) to swath_app;
