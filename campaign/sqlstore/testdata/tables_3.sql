CREATE TABLE talewright_schema (version bigint NOT NULL);
CREATE TABLE talewright_campaign (
		id      TEXT NOT NULL PRIMARY KEY,
		head    bigint NOT NULL,
		created text NOT NULL,
		updated text NOT NULL,
		deleted smallint NOT NULL DEFAULT 0
	);
CREATE TABLE talewright_record (
		campaign TEXT NOT NULL,
		version  bigint NOT NULL,
		kind     text NOT NULL,
		at       text NOT NULL,
		turn     text NOT NULL,
		data     BLOB NOT NULL,
		PRIMARY KEY (campaign, version)
	);
CREATE TABLE talewright_snapshot (
		campaign TEXT NOT NULL,
		version  bigint NOT NULL,
		data     BLOB NOT NULL,
		PRIMARY KEY (campaign, version)
	);
INSERT INTO talewright_schema (version) VALUES (1);
ALTER TABLE talewright_campaign ADD COLUMN owner text NOT NULL DEFAULT '';
ALTER TABLE talewright_campaign ADD COLUMN fence bigint NOT NULL DEFAULT 0;
ALTER TABLE talewright_campaign ADD COLUMN expires bigint NOT NULL DEFAULT 0;
CREATE TABLE talewright_answer (
		campaign TEXT NOT NULL,
		key      TEXT NOT NULL,
		fence    bigint NOT NULL,
		data     BLOB NOT NULL,
		PRIMARY KEY (campaign, key)
	);
INSERT INTO talewright_schema (version) VALUES (2);
ALTER TABLE talewright_record ADD COLUMN key text;
CREATE INDEX talewright_record_key ON talewright_record (campaign, key, version) WHERE key <> '';
CREATE INDEX talewright_record_unkeyed ON talewright_record (campaign, version) WHERE key IS NULL;
INSERT INTO talewright_schema (version) VALUES (3);
INSERT INTO talewright_campaign (id, head, created, updated) VALUES ('mill', 3, '2026-01-02T03:04:05Z', '2026-01-02T03:06:05Z');
INSERT INTO talewright_record VALUES ('mill', 1, 'create', '2026-01-02T03:04:05Z', '', CAST('record 1' AS BLOB), NULL);
INSERT INTO talewright_record VALUES ('mill', 2, 'turn', '2026-01-02T03:05:05Z', 'turn_0001', CAST('record 2' AS BLOB), NULL);
INSERT INTO talewright_record VALUES ('mill', 3, 'turn', '2026-01-02T03:06:05Z', 'turn_0002', CAST('record 3' AS BLOB), NULL);
INSERT INTO talewright_snapshot VALUES ('mill', 2, CAST('snapshot 2' AS BLOB));
UPDATE talewright_campaign SET owner = 'a', fence = 7, expires = 1;
